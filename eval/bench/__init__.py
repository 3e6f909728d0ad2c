"""How fast the library is, measured with the hashing embedder so that no model is measured with it."""
