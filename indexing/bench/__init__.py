"""How fast the jobs are, and how much memory they take."""
