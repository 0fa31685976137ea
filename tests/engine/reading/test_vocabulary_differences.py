"""Two documents and the lines in which they differ."""

from selftest.reading.vocabulary_differences import differing_lines


def test_the_same_document_differs_in_nothing() -> None:
    assert differing_lines({"a": [1]}, {"a": [1]}) == []


def test_added_and_removed_lines_carry_their_signs() -> None:
    lines = differing_lines({"a": ["x", "y"]}, {"a": ["x", "z"]})
    assert [(line.sign, line.text.strip()) for line in lines if line.sign in "+-"] == [("-", '"y"'), ("+", '"z"')]
    assert {line.kind for line in lines} == {"gap", "kept", "removed", "added"}


def test_a_value_that_looks_like_a_sign_is_not_one() -> None:
    lines = differing_lines({"a": "@@ not a gap"}, {"a": "--- not a file"})
    assert [(line.kind, line.text.strip()) for line in lines if line.kind in ("added", "removed")] == [
        ("removed", '"a": "@@ not a gap"'),
        ("added", '"a": "--- not a file"'),
    ]


def test_lines_far_from_a_change_are_left_out() -> None:
    before = {"words": [str(number) for number in range(50)]}
    after = {"words": [*before["words"], "new"]}
    assert len(differing_lines(before, after)) < 12
