"""Stages 1 to 4: extract, classify, policy, store."""
