"""The chat model behind its port."""
