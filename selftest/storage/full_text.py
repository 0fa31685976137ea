"""Finding combinations by the words of their query: each database's own full-text index, behind one meaning.

A text is found by words, in any order and any case; each matches every word that begins with it. What a word is, is
decided here alone: the databases get words, not text. Both keep them in tables, to which combinations are added when
they are made and when they are first flagged: neither the words of a fingerprint nor those of its ingredients change.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, connections
from django.db.models import BigIntegerField, ExpressionWrapper, F, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.lookups import In

from selftest.models import Combination
from selftest.storage.keys import NO_KEYS, Keys, keys_found

WORD = re.compile(r"[^\W_]+")
FEW = 10_000
FEW_IN_POSTGRES = 1_000  # where an index alone tells of each flagged row, and more are looked up by two processes
ALL_KEYS = 2**31  # more than there are
KEPT_CHARACTERS = 100  # of a word; PostgreSQL refuses very long ones
NEWEST_ROWS = (10_000, 50_000)  # of which PostgreSQL reads every one: some 5 and 25 ms
NEWEST_OF_RECIPE = 5_000  # which it looks up one by one: some 5 ms
ALL_WORDS = "selftest_combination_words"
FLAGGED_WORDS = "selftest_flagged_words"
INGREDIENT_WORDS = "selftest_ingredient_words"  # of all ingredients of what was ever flagged
TABLES = (ALL_WORDS, FLAGGED_WORDS, INGREDIENT_WORDS)


def words_of(text: str) -> list[str]:
    """The words of a text, in order, as the index holds them."""
    return [word[:KEPT_CHARACTERS] for word in WORD.findall(text.casefold())]


def note_new(combinations: Sequence[Combination]) -> None:
    """Makes these saved combinations searchable."""
    enter(ALL_WORDS, ((combination.pk, combination.last_query_text) for combination in combinations))


def note_flagged(combinations: Sequence[Combination]) -> None:
    """Makes combinations that are flagged for the first time searchable among the flagged."""
    enter(FLAGGED_WORDS, ((combination.pk, combination.last_query_text) for combination in combinations))


def note_ingredients(combination: Combination, ingredients: Iterable[str]) -> None:
    """Makes a combination that is flagged for the first time searchable by its ingredients."""
    enter(INGREDIENT_WORDS, [(combination.pk, " ".join(ingredients))])


def enter(table: str, texts: Iterable[tuple[int, str]]) -> None:
    """Puts combinations, as their keys and texts, into one of the tables; each at most once into any.

    Words outlive a combination that was deleted with its target. PostgreSQL may reuse its key, for one of other words;
    SQLite does not.
    """
    rows = [(key, words_of(text)) for key, text in texts]
    if not rows:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            words = [" ".join(f"'{word}'" for word in words) for _, words in rows]  # quoted: used as it is
            cursor.execute(
                f"INSERT INTO {table} (rowid, words) "  # noqa: S608 - ours
                "SELECT key, words::tsvector FROM unnest(%s::bigint[], %s::text[]) AS entered (key, words) "
                "ON CONFLICT (rowid) DO UPDATE SET words = excluded.words",
                ([key for key, _ in rows], words),
            )
        else:
            statement = f"INSERT INTO {table} (rowid, words) VALUES (%s, %s)"  # noqa: S608 - ours
            cursor.executemany(statement, [(key, " ".join(words)) for key, words in rows])


def optimize() -> None:
    """Merges the many small indexes that a mass of new rows made into one."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")  # noqa: S608 - ours


def after_migrate(using: str, **_: object) -> None:
    """A database that was emptied (`manage.py flush`) starts its keys again: its words are deleted too."""
    entered = connections[using]
    known = set(entered.introspection.table_names())
    if not known.issuperset((Combination._meta.db_table, *TABLES)):
        return  # migrated back to before the tables existed
    if Combination.objects.using(using).exists():
        return
    with entered.cursor() as cursor:
        for table in TABLES:
            if entered.vendor == "postgresql":
                cursor.execute(f"DELETE FROM {table}")  # noqa: S608 - ours
            else:
                cursor.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608 - ours


def among_flagged(rows: QuerySet[Combination], text: str) -> QuerySet[Combination]:
    """Those of `rows`, all flagged at least once, whose query holds all words of `text`; all for no word."""
    words = words_of(text)
    return _among_holding(FLAGGED_WORDS, rows, words) if words else rows


def among_those_of(rows: QuerySet[Combination], ingredients: str) -> QuerySet[Combination]:
    """Those of `rows`, all flagged at least once, whose ingredients hold all these words; none for no word."""
    words = words_of(ingredients)
    return _among_holding(INGREDIENT_WORDS, rows, words) if words else rows.none()


def flagged_holding(text: str) -> Keys | None:
    """The keys of those whose query holds all words of `text`; None, for all, where it has no word."""
    words = words_of(text)
    return _keys_holding(FLAGGED_WORDS, words) if words else None


def flagged_with(ingredients: str) -> Keys:
    """The keys of those whose ingredients hold all these words; none for no word."""
    words = words_of(ingredients)
    return _keys_holding(INGREDIENT_WORDS, words) if words else NO_KEYS


def _keys_holding(table: str, words: Sequence[str]) -> Keys:
    condition, wanted = _holding(table, dict.fromkeys(words))
    return keys_found(f"SELECT rowid FROM {table} WHERE {condition}", (wanted,))  # noqa: S608 - ours


def _among_holding(table: str, rows: QuerySet[Combination], words: Sequence[str]) -> QuerySet[Combination]:
    condition, wanted = _holding(table, dict.fromkeys(words))
    found = f"SELECT rowid FROM {table} WHERE {condition}"  # noqa: S608 - ours
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM ({found} LIMIT {few() + 1}) AS first", (wanted,))  # noqa: S608 - ours
        ((count,),) = cursor.fetchall()
    return among(rows, RawSQL(found, (wanted,)), count)  # noqa: S611


def few() -> int:
    """How many keys are best looked up one by one: with more, that takes longer than to ask each flagged row."""
    return FEW_IN_POSTGRES if connection.vendor == "postgresql" else FEW


def among(rows: QuerySet[Combination], found: Any, count: int) -> QuerySet[Combination]:
    """Those of `rows` whose keys were found. found: all keys, as a query. count: how many, or anything above few().

    Few are looked up one by one. For many, each of `rows` is tested instead: either database itself would look up far
    more of them one by one.
    """
    if count <= few():
        return rows.filter(In(F("pk"), found))
    if connection.vendor == "postgresql" and isinstance(found, QuerySet):
        found = found[:ALL_KEYS]  # left as it is, it would be made distinct first, which takes longer than it saves
    key = ExpressionWrapper(F("pk") + 0, output_field=BigIntegerField())
    return rows.filter(In(key, found))


@dataclass(frozen=True)
class Held:
    """The newest keys that hold some words, the newest first.

    looked_to: the least key that was looked at, where those below it may hold the words, too.
    """

    keys: list[int]
    looked_to: int | None = None


def newest_holding(
    text: str,
    below: int | None,
    limit: int,
    ever_flagged: bool = False,
    enough: int | None = None,
    recipe: str = "",
) -> Held:
    """The keys of at most `limit` combinations whose query holds all words of `text`.

    below: only keys less than this. ever_flagged: only what was. enough: so many will do where more would take long.
    recipe: where more would take long, those of other recipes may be left out. A text without words holds nothing.
    """
    words = list(dict.fromkeys(words_of(text)))
    if not words:
        return Held([])
    table = FLAGGED_WORDS if ever_flagged else ALL_WORDS
    top = 2**63 - 1 if below is None else below
    if connection.vendor != "postgresql":
        return _as_held(_newest(table, table, words, top, limit), limit)
    # By itself, PostgreSQL may walk back through all rows to a word that only old ones hold: it assumes words evenly
    # spread. So a common word is looked for among the newest rows, and a rare one by the index and nothing else.
    enough = limit if enough is None else enough
    for rows in NEWEST_ROWS:
        newest = f"(SELECT rowid, words FROM {table} WHERE rowid < {top:d} ORDER BY rowid DESC LIMIT {rows}) AS newest"  # noqa: S608
        found = _newest(newest, "newest", words, top, limit)
        if len(found) == limit or (rows == max(NEWEST_ROWS) and len(found) >= enough):
            return Held(found, found[-1])
        if len(found) * max(NEWEST_ROWS) < enough * rows:  # as common as that, more rows would not bring enough either
            break
        if recipe:
            return _newest_of_recipe(recipe, table, words, top, limit)
    _, wanted = _holding(table, words)
    held = f"(SELECT rowid, words FROM {table} WHERE words @@ %s::tsquery AND rowid < {top:d} OFFSET 0) AS held"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT rowid FROM {held} WHERE {_is_there('held')} ORDER BY rowid + 0 DESC LIMIT %s",  # noqa: S608 - ours
            (wanted, limit),
        )
        return _as_held([key for (key,) in cursor.fetchall()], limit)


def _newest_of_recipe(recipe: str, table: str, words: Sequence[str], top: int, limit: int) -> Held:
    """Looked up one by one: a word that is common may still be rare in this recipe."""
    every = Combination.objects.filter(recipe_name=recipe, pk__lt=top).order_by("-pk").values_list("pk", flat=True)
    last = next(iter(every[NEWEST_OF_RECIPE - 1 : NEWEST_OF_RECIPE]), None)
    condition, wanted = _holding(table, words)
    newest = "SELECT id FROM selftest_combination WHERE recipe_name = %s AND id < %s ORDER BY id DESC LIMIT %s"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT rowid FROM (SELECT rowid, words FROM ({newest}) AS newest JOIN {table} ON rowid = id "  # noqa: S608
            f"ORDER BY id DESC OFFSET 0) AS held WHERE {condition} ORDER BY rowid DESC LIMIT %s",
            (recipe, top, NEWEST_OF_RECIPE, wanted, limit),
        )
        found = [key for (key,) in cursor.fetchall()]
    return Held(found, found[-1] if len(found) == limit else last)


def _as_held(keys: list[int], limit: int) -> Held:
    return Held(keys, keys[-1] if len(keys) == limit else None)


def _newest(rows: str, name: str, words: Sequence[str], top: int, limit: int) -> list[int]:
    """rows: a table of words, or a part of one, which has this name."""
    condition, wanted = _holding(name, words)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT rowid FROM {rows} WHERE {condition} AND rowid < %s AND {_is_there(name)} "  # noqa: S608 - ours
            "ORDER BY rowid DESC LIMIT %s",
            (wanted, top, limit),
        )
        return [key for (key,) in cursor.fetchall()]


def _is_there(name: str) -> str:
    """The words of a combination outlive it where its target was deleted."""
    return f"EXISTS (SELECT 1 FROM selftest_combination WHERE selftest_combination.id = {name}.rowid)"  # noqa: S608


def _holding(table: str, words: Iterable[str]) -> tuple[str, str]:
    """The condition that a row of `table` holds all `words`, and its parameter."""
    if connection.vendor == "postgresql":
        return "words @@ %s::tsquery", " & ".join(f"'{word}':*" for word in words)
    return f"{table} MATCH %s", " ".join(f'"{word}"*' for word in words)
