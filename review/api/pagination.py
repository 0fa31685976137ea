"""Cursor pagination: each page starts after the last row of the previous one, so new rows do not shift pages."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from django.db.models import Model, QuerySet
from ninja.params.models import Query as QueryParam
from pydantic import BeforeValidator, Field

from review.api.errors import ApiError
from review.api.values import MAX_ROW_ID, whole_number

RowT = TypeVar("RowT", bound=Model)

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
        after = self._after()
        asked = rows.order_by("-pk") if after is None else rows.order_by("-pk").filter(pk__lt=after)
        return self._page(asked, "pk")

    def rising(self, rows: QuerySet[RowT], column: str = "pk") -> dict[str, Any]:
        """The page of `rows`, by a unique column, ascending."""
        after = self._after()
        ordered = rows.order_by(column)
        return self._page(ordered if after is None else ordered.filter(**{f"{column}__gt": after}), column)

    def _page(self, rows: QuerySet[RowT], column: str) -> dict[str, Any]:
        found = list(rows[: self.limit + 1])
        items = found[: self.limit]
        is_last = len(found) <= self.limit
        return {"items": items, "next": None if is_last else self._cursor_after(getattr(items[-1], column))}

    def _cursor_after(self, key: int) -> str:
        return urlsafe_b64encode(f"{self.listing}:{key}".encode()).decode().rstrip("=")

    def _after(self) -> int | None:
        if self.cursor is None:
            return None
        key = self._key_in(self.cursor)
        if key is None or self._cursor_after(key) != self.cursor:
            raise ApiError(422, "invalid", "cursor: must be the `next` value of the previous page, unchanged", "cursor")
        return key

    def _key_in(self, cursor: str) -> int | None:
        try:
            text = urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)).decode()
        except (NotBase64, ValueError):
            return None
        found = re.fullmatch(rf"{re.escape(self.listing)}:([0-9]{{1,19}})", text)
        key = int(found[1]) if found else None
        return key if key is not None and key <= MAX_ROW_ID else None
