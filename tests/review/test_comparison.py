"""Two answers side by side: lines paired, words told apart, long ones cut and said to be."""

from review.contexts.comparison import COMPARED_LINES, ComparedLine, Comparison, Side, compare


def texts(side: Side | None) -> str | None:
    return None if side is None else "".join(f"[{s.text}]" if s.is_changed else s.text for s in side.spans)


def lines(comparison: Comparison) -> list[tuple[str, str | None, str | None]]:
    return [(row.kind, texts(row.before), texts(row.after)) for row in comparison.rows]


def test_what_is_the_same_has_no_rows() -> None:
    assert compare("a\nb", "a\nb").is_same


def test_a_changed_line_marks_the_words_that_differ() -> None:
    assert lines(compare("one\nthe door is open\nend", "one\nthe door is locked\nend")) == [
        ("kept", "one", "one"),
        ("changed", "the door is [open]", "the door is [locked]"),
        ("kept", "end", "end"),
    ]


def test_lines_of_one_side_only_stand_alone_with_their_numbers() -> None:
    found = compare("a\nb\nc", "a\nc\nd")
    assert lines(found) == [
        ("kept", "a", "a"),
        ("removed", "[b]", None),
        ("kept", "c", "c"),
        ("added", None, "[d]"),
    ]
    removed, kept, added = found.rows[1:]
    assert removed.before
    assert kept.before
    assert kept.after
    assert added.after
    assert (removed.before.number, kept.before.number, kept.after.number, added.after.number) == (2, 3, 2, 3)
    assert (found.changed, found.removed, found.added) == (0, 1, 1)


def test_three_lines_around_a_difference_are_shown_and_the_rest_is_counted() -> None:
    before = [f"line {n}" for n in range(1, 21)]
    after = [*before[:9], "other", *before[10:]]
    rows = compare("\n".join(before), "\n".join(after)).rows
    assert [row.kind for row in rows] == ["skipped", *["kept"] * 3, "changed", *["kept"] * 3, "skipped"]
    assert rows[0].skipped == 6  # lines 1 to 6; 7, 8 and 9 are shown
    assert rows[-1].skipped == 7  # lines 14 to 20
    assert rows[1].before == Side(7, rows[1].before.spans) if rows[1].before else False


def test_a_long_stretch_between_two_differences_is_folded() -> None:
    same = [f"same {n}" for n in range(10)]
    rows = compare("\n".join(["a", *same, "b"]), "\n".join(["x", *same, "y"])).rows
    assert [row.kind for row in rows] == ["changed", *["kept"] * 3, "skipped", *["kept"] * 3, "changed"]
    assert rows[4] == ComparedLine("skipped", skipped=4)


def test_of_very_long_answers_the_rest_is_left_out_and_counted() -> None:
    before = "\n".join(f"a {n}" for n in range(COMPARED_LINES + 5))
    after = "\n".join(f"b {n}" for n in range(COMPARED_LINES + 9))
    found = compare(before, after)
    assert (found.left_out_before, found.left_out_after) == (5, 9)
    assert len(found.rows) == COMPARED_LINES


def test_an_empty_answer_is_compared_too() -> None:
    assert lines(compare("a", "")) == [("changed", "[a]", "")]
