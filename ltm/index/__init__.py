"""The vector index: Qdrant Edge in a folder (`embedded_admin`), or a Qdrant server (`connect`, `server_admin`).

Nothing is imported here: the client of a server costs a second that an embedded store does not need.
"""
