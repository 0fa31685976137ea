"""Which changes of rows change what live pieces say. The engine knows nothing of this: triggers note it, see there."""

from dataclasses import dataclass
from enum import StrEnum

from selftest.knowledge.core.chunks import Kind


class Via(StrEnum):
    """What is noted where the pieces that change are told only later, by what leads to them."""

    RUN = "run"  # to the causes of its flags
    GOLDEN_SET = "golden_set"  # to its pairs


@dataclass(frozen=True, slots=True)
class Watch:
    """A table, and what is noted when a row of it is written.

    kind: of the piece, or what leads to it. number: the column with its number. columns: whose change counts; for an
    update to a column that stays as it was, nothing is noted. condition: which rows count, as SQL over `{row}`.
    inserts, deletes: whether new and deleted rows count. if_before: an update counts only where the row met the
    condition before it.
    """

    kind: Kind | Via
    table: str
    number: str
    columns: tuple[str, ...]
    condition: str = ""
    inserts: bool = True
    deletes: bool = True
    if_before: bool = False


WATCHES = (
    Watch(
        Kind.CAUSE,
        "selftest_cause",
        "id",
        ("sentence", "checks", "example_id", "merged_into_id", "verdict", "reason", "link", "target_id"),
    ),
    # Each cause of which a note was made, or flags came from elsewhere.
    Watch(
        Kind.CAUSE,
        "selftest_causeevent",
        "cause_id",
        ("note", "cause_id"),
        "({row}.note <> '' OR {row}.kind IN ('moved', 'merged', 'split'))",
    ),
    Watch(
        Via.RUN,
        "selftest_reduction",
        "run_id",
        ("state", "smallest_text"),
        "{row}.state = 'finished'",
    ),
    # The smallest query goes with its flag; one that is put down for the first time has none yet.
    Watch(Kind.CAUSE, "selftest_flag", "cause_id", ("cause_id",), "{row}.cause_id IS NOT NULL", False, True, True),
    Watch(
        Kind.FINDING,
        "findings_finding",
        "id",
        ("content", "category", "tags", "is_correction", "superseded_by_id", "target_id", "source", "check_name"),
    ),
    Watch(Kind.GOLDEN_PAIR, "evaluation_goldenpair", "id", ("name", "current_id", "golden_set_id")),
    Watch(
        Kind.GOLDEN_PAIR,
        "evaluation_pairversion",
        "pair_id",
        ("query", "kind", "expectations", "why", "is_archived", "target_id"),
        inserts=False,  # a new version counts once it is the current one
        deletes=False,
    ),
    Watch(Via.GOLDEN_SET, "evaluation_goldenset", "id", ("name",), inserts=False, deletes=False),
    Watch(
        Kind.TARGET,
        "selftest_target",
        "id",
        ("name", "kind", "enabled", "is_default", "base_url", "dotted_path"),
    ),
    Watch(
        Kind.TARGET,
        "selftest_cycle",
        "target_id",
        ("target_version",),
        "{row}.target_version <> ''",
        deletes=False,  # goes with its target
    ),
    Watch(
        Kind.CYCLE,
        "selftest_cycle",
        "id",
        ("state", "note", "target_version", "target_id"),
        "{row}.state IN ('target_unavailable', 'interrupted')",
    ),
)
