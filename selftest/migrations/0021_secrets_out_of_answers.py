"""Takes the targets' keys out of all that was stored of their answers, and encrypts the keys themselves.

A key that was replaced earlier is not known any more, so it is not found. Queries are not touched: they are made of the
vocabulary, and nothing that a target says gets into them.
"""

import hashlib
import json
from collections import namedtuple

from django.db import migrations

from selftest.models.encrypted import decrypted, encrypted
from selftest.targets.redaction import Redactor, Secret

CHUNK_ROWS = 200  # each with an answer of 256 KiB at most
KEY_HEADER = "X-API-Key"

# Of a table: the way to the target, columns of text with their limits, columns of JSON, and the text that is hashed.
Table = namedtuple("Table", "model target texts documents hashed", defaults=({}, (), None))
TABLES = (
    Table("Run", "target", {"source_used": 200, "error": None, "own_error": None, "result": None, "reason": None},
          hashed=("result", "result_sha256")),
    Table("Probe", "target", {"source_used": 200, "error": None, "result": None, "empty_phrase": 500},
          hashed=("result", "result_sha256")),
    Table("Flag", "run__target", {"reason": None}, ("evidence",)),
    Table("Explanation", "target", {"reason": None, "source": 200}, ("evidence",)),
    Table("Reduction", "combination__target", {"result": None, "source_used": 200, "note": None}),
    Table("Cycle", "target", {"note": None, "target_version": 200}),
    Table("Combination", "target", {"last_source_used": 200, "last_flagged_reason": None, "first_flagged_reason": None,
                                    "last_flagged_result_excerpt": None}),
    Table("ReviewEvent", "combination__target", {"note": None}),
)


def clean_and_encrypt(apps, schema_editor):
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        # Not by the model, whose column takes what it reads for encrypted.
        cursor.execute("SELECT id, api_key FROM selftest_target WHERE api_key <> ''")
        keys = dict(cursor.fetchall())
    if not keys:
        return
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")  # what is replaced is overwritten in the file too
    redactors = {target: Redactor([Secret(KEY_HEADER, key)]) for target, key in keys.items()}
    for table in TABLES:
        clean(connection, apps.get_model("selftest", table.model), table, redactors)
    with connection.cursor() as cursor:
        rows = [(encrypted(key), target) for target, key in keys.items()]
        cursor.executemany("UPDATE selftest_target SET api_key = %s WHERE id = %s", rows)


def decrypt(apps, schema_editor):
    """The way back: the version before has the keys as they are, and their answers stay clean."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT id, api_key FROM selftest_target WHERE api_key <> ''")
        rows = [(decrypted(key), target) for target, key in cursor.fetchall()]
        cursor.executemany("UPDATE selftest_target SET api_key = %s WHERE id = %s", rows)


def clean(connection, model, table, redactors):
    columns = (*table.texts, *table.documents, *(table.hashed[1:] if table.hashed else ()))
    cast = "::jsonb" if connection.vendor == "postgresql" else ""
    # Their numbers first, which are few bytes: a condition on the target and an order by number at once would make
    # PostgreSQL sort all that is left for each chunk.
    numbers = model.objects.filter(**{f"{table.target}__in": list(redactors)}).order_by().values_list("pk", flat=True)
    numbers = sorted(numbers.iterator())
    for first in range(0, len(numbers), CHUNK_ROWS):
        chunk = model.objects.filter(pk__in=numbers[first : first + CHUNK_ROWS]).order_by()
        chunk = list(chunk.values("pk", table.target, *columns))
        changes = {}
        for row in chunk:
            changed = changes_of(row, table, redactors[row[table.target]])
            if changed:
                # Rows that change in the same columns go in one statement.
                changes.setdefault(tuple(changed), []).append((*changed.values(), row["pk"]))
        with connection.cursor() as cursor:
            for names, values in changes.items():
                assigned = ", ".join(f'"{name}" = %s{cast if name in table.documents else ""}' for name in names)
                cursor.executemany(f'UPDATE "{model._meta.db_table}" SET {assigned} WHERE id = %s', values)


def changes_of(row, table, redactor):
    """Column → its new value as the database takes it, of those that change."""
    changed = {}
    for name, limit in table.texts.items():
        text = row[name]
        if text and (clean_text := redactor.text(text)) != text:
            changed[name] = clean_text[:limit]
    for name in table.documents:
        if (document := cleaned(row[name], redactor)) != row[name]:
            changed[name] = json.dumps(document)
    if table.hashed and row[table.hashed[1]]:
        # Of all rows of the target: the hash was that of all that came, and tells whether a guess of a key is right.
        text, hash_column = table.hashed
        kept = changed.get(text, row[text])
        changed[hash_column] = hashlib.sha256(kept.encode(errors="surrogatepass")).hexdigest()
    return changed


def cleaned(value, redactor):
    match value:
        case str():
            return redactor.text(value)
        case list():
            return [cleaned(item, redactor) for item in value]
        case dict():
            return {key: cleaned(item, redactor) for key, item in value.items()}
    return value


class Migration(migrations.Migration):
    dependencies = [("selftest", "0020_secrets_at_rest")]
    operations = [migrations.RunPython(clean_and_encrypt, decrypt)]
