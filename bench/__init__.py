"""Other memories on the same texts, the same vectors and the same machine; no part of the library that is installed."""
