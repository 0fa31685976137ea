"""Keys of many rows as a column of numbers. The database joins them: one by one, each would be an object first."""

from typing import Any

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet
from numpy.typing import NDArray

Keys = NDArray[np.int64]

NO_KEYS: Keys = np.empty(0, np.int64)
JOINED = {"sqlite": "group_concat(key)", "postgresql": "string_agg(key::text, ',')"}


def keys_of(rows: QuerySet[Any], column: str = "pk") -> Keys:
    """The keys of these rows, or those that they have in another column; in no order."""
    try:
        return keys_found(*rows.order_by().values_list(column).query.sql_with_params())
    except EmptyResultSet:  # no statement is needed to tell that there are none
        return NO_KEYS


def keys_found(statement: str, params: tuple[Any, ...]) -> Keys:
    """What this statement finds, which asks for one column of keys."""
    with connection.cursor() as cursor:
        cursor.execute(f"WITH found (key) AS ({statement}) SELECT {JOINED[connection.vendor]} FROM found", params)  # noqa: S608
        ((joined,),) = cursor.fetchall()
    return np.fromstring(joined, np.int64, sep=",") if joined else NO_KEYS
