"""What callers without a key may not see of a flag."""

from collections.abc import Iterable

from selftest.core.judging.check_table import without_quotes
from selftest.models import Combination


def conceal_answers(rows: Iterable[Combination]) -> None:
    """Leaves in these rows, which are not to be saved, nothing that quotes an answer."""
    for row in rows:
        row.last_flagged_result_excerpt = ""
        row.last_flagged_reason = row.last_flagged_reason and without_quotes(row.last_flagged_reason)
        row.first_flagged_reason = row.first_flagged_reason and without_quotes(row.first_flagged_reason)
