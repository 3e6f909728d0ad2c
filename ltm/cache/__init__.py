"""The hot cache and the chat window, in the process or in Redis."""
