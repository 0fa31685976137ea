"""How many bytes the database takes."""

from django.db import connection


def database_bytes() -> int:
    """With its indexes, and with the room that deleted rows left; SQLite's log, which comes and goes, not counted."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(cursor.fetchone()[0])
