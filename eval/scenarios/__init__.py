"""Write-side stories: a dialogue told to a fresh `Memory`, and what must hold afterwards."""
