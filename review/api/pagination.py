"""Cursor pagination: each page starts after the last row of the previous one, so new rows do not shift pages."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from django.db.models import Model, QuerySet
from ninja.params.models import Query as QueryParam
from pydantic import BeforeValidator, Field

from review.api.errors import ApiError
from review.api.values import MAX_ROW_ID, whole_number

RowT = TypeVar("RowT", bound=Model)
Entry = TypeVar("Entry")
Order = tuple[int, int, int]  # of an entry of a sorted list; the last number is its own
ORDER_NUMBERS = 3

DEFAULT_LIMIT = 50
MAX_LIMIT = 500
Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT), BeforeValidator(whole_number(1, MAX_LIMIT))]
Cursor = Annotated[str | None, QueryParam(None, description="The `next` value of the previous page. Opaque.")]


@dataclass(frozen=True)
class Paging:
    """The requested page of the listing with this name. A cursor is valid only for the listing that returned it."""

    listing: str
    cursor: str | None
    limit: int = DEFAULT_LIMIT

    def newest_first(self, rows: QuerySet[RowT]) -> dict[str, Any]:
        """The page of `rows`, by descending id."""
        after = self._row_after()
        asked = rows.order_by("-pk") if after is None else rows.order_by("-pk").filter(pk__lt=after)
        return self._page(asked[: self.limit + 1], lambda row: (row.pk,))

    def rising(self, rows: QuerySet[RowT], column: str = "pk") -> dict[str, Any]:
        """The page of `rows`, by a unique column, ascending."""
        after = self._row_after()
        ordered = rows.order_by(column)
        asked = ordered if after is None else ordered.filter(**{f"{column}__gt": after})
        return self._page(asked[: self.limit + 1], lambda row: (getattr(row, column),))

    def of_sorted(self, entries: Sequence[Entry], order: Callable[[Entry], Order]) -> dict[str, Any]:
        """The page of `entries`, which are sorted by `order` already."""
        after = self._after(ORDER_NUMBERS, -MAX_ROW_ID)
        return self._page([one for one in entries if after is None or order(one) > after], order)

    def _page(self, rows: Iterable[Entry], key: Callable[[Entry], tuple[int, ...]]) -> dict[str, Any]:
        found = list(rows)
        items = found[: self.limit]
        is_last = len(found) <= self.limit
        return {"items": items, "next": None if is_last else self._cursor_after(key(items[-1]))}

    def _cursor_after(self, key: tuple[int, ...]) -> str:
        text = ":".join([self.listing, *map(str, key)])
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def _row_after(self) -> int | None:
        after = self._after(1, 0)
        return None if after is None else after[0]

    def _after(self, numbers: int, least: int) -> tuple[int, ...] | None:
        if self.cursor is None:
            return None
        key = self._key_in(self.cursor, numbers, least)
        if key is None or self._cursor_after(key) != self.cursor:
            raise ApiError(422, "invalid", "cursor: must be the `next` value of the previous page, unchanged", "cursor")
        return key

    def _key_in(self, cursor: str, numbers: int, least: int) -> tuple[int, ...] | None:
        try:
            text = urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)).decode()
        except (NotBase64, ValueError):
            return None
        found = re.fullmatch(rf"{re.escape(self.listing)}((?::-?[0-9]{{1,19}}){{{numbers}}})", text)
        if found is None:
            return None
        key = tuple(map(int, found[1][1:].split(":")))
        return key if least <= min(key) and max(key) <= MAX_ROW_ID else None
