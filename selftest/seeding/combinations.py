"""Combinations as their last runs left them, with their ingredients and the words to search them by."""

from selftest.cycles.ingredients import ingredient_ids
from selftest.models import Combination, ingredient_keys_of
from selftest.seeding.bulk import ROWS_AT_ONCE, Rows
from selftest.seeding.draft import Draft
from selftest.seeding.request import ProgressBar
from selftest.seeding.review_histories import FlagHistory
from selftest.storage import full_text
from selftest.storage.texts import sha256_hex

STEPS_AT_ONCE = 500  # of the progress bar
COMBINATION_COLUMNS = (
    "id target_id fingerprint fingerprint_sha256 recipe_name query times_generated first_seen_timestamp "
    "last_query_text last_source_used last_latency_ms last_flagged_reason last_run_timestamp "
    "last_flagged_result_excerpt last_run_id last_flagged_run_id ever_flagged currently_flagged first_flagged_reason "
    "first_flagged_timestamp review_status verdict dismissed_at until_date until_version judged_version flagged_check "
    "times_flagged ingredient_keys cause_id held_by_id held_at"
)
INGREDIENT_COLUMNS = "id combination_id ingredient_id"


class CombinationWriter:
    """Writes all combinations at once, when the last cycle is over."""

    def __init__(self, draft: Draft, combinations: Rows, bar: ProgressBar) -> None:
        self._draft = draft
        self._bar = bar
        self._combinations = combinations
        self._ingredients = Rows(Combination.ingredients.through, INGREDIENT_COLUMNS)
        self._keys: dict[int, list[int]] = {}  # of the ingredients of those that are ever flagged

    def write(self) -> None:
        """Writes them all, with the ingredients of those that are ever flagged, and makes them searchable."""
        never = FlagHistory((), {}, ())
        latest, queries, stamp = self._draft.latest, self._draft.queries, self._draft.stamp
        ids = ingredient_ids(set[str]().union(*map(queries.ingredients, self._draft.histories)))
        self._keys = {
            index: [ids[name] for name in sorted(queries.ingredients(index))] for index in sorted(self._draft.histories)
        }
        for index in range(len(queries)):
            history = self._draft.histories.get(index, never)
            fingerprint = queries.fingerprint(index)
            is_dismissed = history.is_dismissed
            self._combinations.add(
                (
                    self._draft.first_combination + index,
                    self._draft.target.pk,
                    fingerprint,
                    sha256_hex(fingerprint),
                    queries.recipe(index),
                    queries.document(index),
                    latest.times[index],
                    stamp(latest.first_planned_us[index]),
                    queries.text(index),
                    latest.source(index),
                    latest.latency_ms[index],
                    history.last_reason,
                    stamp(latest.at_us[index]),
                    history.excerpt,
                    latest.run[index],
                    history.last_flagged_run,
                    history.first_reason is not None,
                    history.is_flagged,
                    history.first_reason,
                    None if history.first_reason is None else stamp(history.first_at),
                    Combination.ReviewStatus.DISMISSED.value if is_dismissed else None,
                    history.verdict if is_dismissed else None,
                    None if history.dismissed_at is None else stamp(history.dismissed_at),
                    *(None, None, None),  # nothing of it is put off
                    "" if history.check is None else history.check.value,
                    history.times_flagged,
                    None if history is never else ingredient_keys_of(self._keys[index]),
                    None,  # until flags are put down to causes
                    history.held_by,
                    None if history.held_by is None else stamp(history.held_at),
                )
            )
            if index % STEPS_AT_ONCE == 0:
                self._bar.advance(min(STEPS_AT_ONCE, len(queries) - index))
        self._combinations.flush()
        self._write_ingredients()
        self._make_findable()

    def _write_ingredients(self) -> None:
        for index, keys in self._keys.items():
            for key in keys:
                pk, self._ingredients.next_pk = self._ingredients.next_pk, self._ingredients.next_pk + 1
                self._ingredients.add((pk, self._draft.first_combination + index, key))
        self._ingredients.flush()

    def _make_findable(self) -> None:
        first, queries = self._draft.first_combination, self._draft.queries
        flagged = sorted(self._draft.histories)
        for table, text, indexes in (
            (full_text.ALL_WORDS, queries.text, range(len(queries))),
            (full_text.FLAGGED_WORDS, queries.text, flagged),
            (full_text.INGREDIENT_WORDS, lambda index: " ".join(queries.ingredients(index)), flagged),
        ):
            for begin in range(0, len(indexes), ROWS_AT_ONCE):
                chunk = indexes[begin : begin + ROWS_AT_ONCE]
                full_text.enter(table, ((first + index, text(index)) for index in chunk))
