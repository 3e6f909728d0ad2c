"""One Alembic history for SQLite, MariaDB and MySQL. A released migration is never edited."""
