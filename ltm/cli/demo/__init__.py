"""Three weeks with a job-search agent, played on the embedded default."""
