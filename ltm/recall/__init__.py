"""Stage 5: retrieve, fuse, rank, pack and render what bears on an intent."""
