"""A camera above a field: its file, and where its pictures come from."""
