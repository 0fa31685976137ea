"""Lines that a source says whatever it is asked are told from what it knows."""

import pytest

from selftest.core.judging.boilerplate import ANY_QUESTION, END, Boilerplate, is_boilerplate, line_digest

TOPICS = ("tides", "reefs", "lava", "amber")


def learnt(answers: dict[str, tuple[str, ...]], source: str = "wiki") -> dict[str, frozenset[str]]:
    """What is known after one answer of `source` to each question."""
    boilerplate = Boilerplate()
    boilerplate.note((source, question, lines) for question, lines in answers.items())
    return boilerplate.lines()


def test_a_line_in_every_answer_is_boilerplate_and_content_is_not() -> None:
    known = learnt({topic: (f"All about {topic}.", "Text under a free licence") for topic in TOPICS})
    assert is_boilerplate("Text under a free licence", "wiki", known)
    assert not is_boilerplate("All about tides.", "wiki", known)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("3 of 23 shown", "(5 of 40 SHOWN)"),
        ("as of 2026-03-04", "as of 2026-11-30"),
        ("Source: daily.example", "Source: atlas.example"),
        ("- Did you mean: kettle?", "- Did you mean: ladder?"),
    ],
)
def test_lines_that_differ_in_figures_signs_or_after_their_label_are_the_same(first: str, other: str) -> None:
    assert line_digest(first) == line_digest(other)


def test_an_address_is_another_one_with_other_figures() -> None:
    assert line_digest("https://a.example/tides/71") != line_digest("https://a.example/tides/43")


def test_three_questions_are_too_few_to_tell() -> None:
    assert learnt({topic: (f"All about {topic}.", "a licence line") for topic in TOPICS[:3]}) == {}


def test_a_line_of_half_the_answers_is_content() -> None:
    answers = {topic: (f"All about {topic}.",) for topic in TOPICS}
    answers |= {topic: (f"All about {topic}.", "The sea is wide") for topic in TOPICS[:2]}
    assert not is_boilerplate("The sea is wide", "wiki", learnt(answers))


def test_a_source_that_reports_the_same_state_whatever_it_is_asked_has_none() -> None:
    assert learnt(dict.fromkeys(TOPICS, ("Kitchen light is on", "Back door is shut"))) == {}


@pytest.mark.parametrize(
    ("askings", "is_known"),
    [
        ([("wiki", "tides"), ("wiki", "lava"), ("news", "reefs"), ("news", "amber")], True),
        ([("wiki", "tides"), ("wiki", "lava"), ("wiki", "reefs"), ("wiki", "amber")], False),  # it may know of them
        ([("wiki", "tides"), ("wiki", "lava"), ("wiki", "reefs"), ("news", "amber")], False),  # one may quote the other
        ([("wiki", "tides"), ("news", "tides"), ("wiki", "lava"), ("news", "lava")], False),  # both may know of them
    ],
    ids=["two sources, four questions", "one source", "once by another", "two questions"],
)
def test_what_several_sources_say_now_and_then_to_different_questions_is_boilerplate(
    askings: list[tuple[str, str]], is_known: bool
) -> None:
    offer = "You may ask the harbour about this as well."
    questions = (*TOPICS, "moss", "soot", "silt", "loam", "peat", "clay")
    boilerplate = Boilerplate()
    for source in ("wiki", "news"):
        asked = [(source, topic) for topic in questions]
        boilerplate.note((s, q, (f"{s} about {q}", *([offer] if (s, q) in askings else []))) for s, q in asked)
    assert is_boilerplate(offer, "wiki", boilerplate.lines()) is is_known


def test_the_state_that_a_source_reports_is_content_though_another_says_so_now_and_then() -> None:
    boilerplate = Boilerplate()
    boilerplate.note(("home", topic, ("Kitchen light is on", "Back door is shut")) for topic in TOPICS)
    boilerplate.note(("changes", topic, (f"Of {topic}",)) for topic in TOPICS)
    boilerplate.note(("changes", topic, (f"Of {topic}", "Back door is shut")) for topic in ("moss", "soot"))
    assert not is_boilerplate("Back door is shut", "home", boilerplate.lines())


def test_what_all_sources_say_is_boilerplate_of_one_that_was_never_asked() -> None:
    boilerplate = Boilerplate()
    for source in ("wiki", "news"):
        boilerplate.note((source, topic, (f"{source} about {topic}", "Read more below")) for topic in TOPICS[:2])
    assert is_boilerplate("Read more below", "forecast", boilerplate.lines())
    assert not is_boilerplate("wiki about tides", "wiki", boilerplate.lines())


def test_one_source_does_not_decide_what_all_of_them_say() -> None:
    boilerplate = Boilerplate()
    boilerplate.note(
        ("wiki", f"topic {number}", ("Text under a free licence", f"text {number}")) for number in range(20)
    )
    boilerplate.note(("news", topic, (f"News of {topic}",)) for topic in TOPICS)
    assert not is_boilerplate("Text under a free licence", "forecast", boilerplate.lines())


def test_a_sentence_behind_a_label_is_content() -> None:
    known = learnt({topic: (f"Definition: {topic} are found in many a sea", "a line") for topic in TOPICS})
    assert not is_boilerplate("Definition: a knot holds a rope well", "wiki", known)


def test_a_sentence_with_other_figures_is_another_one() -> None:
    assert line_digest("Between 10:15 and midnight it drops to 7") != line_digest(
        "Between 09:40 and midnight it drops to 3"
    )


def test_the_same_question_asked_again_counts_once() -> None:
    boilerplate = Boilerplate()
    for _ in range(9):
        boilerplate.note([("wiki", "Tides", ("All about tides", "a licence line"))])
    assert boilerplate.lines() == {}


def test_only_the_last_24_questions_are_remembered() -> None:
    boilerplate = Boilerplate()
    boilerplate.note(("wiki", f"topic {number}", (f"line {number}",)) for number in range(40))
    assert len(boilerplate.answers["wiki"]) == 24
    newest = [lines for _, lines in boilerplate.answers["wiki"]][-1]
    assert newest == [line_digest("line 39")]


@pytest.mark.parametrize(
    ("ends", "alone", "is_known"),
    [(TOPICS[:3], "moss", True), (TOPICS[:2], "moss", False), (TOPICS[:3], "", False)],
    ids=["ends three, said alone", "ends two", "never said alone"],
)
def test_a_line_that_ends_sections_to_several_questions_is_boilerplate_though_alone_it_is_rare(
    ends: tuple[str, ...], alone: str, is_known: bool
) -> None:
    boilerplate = Boilerplate()
    boilerplate.note(("wiki", topic, (f"All about {topic}",)) for topic in TOPICS)
    if alone:
        boilerplate.note([("wiki", alone, (f"All about {alone}", "Please write before you come."))])
    for topic in ends:
        boilerplate.note([("wiki", END + topic, ("Please write before you come.",))] * 2)
        boilerplate.note([("wiki", END + topic, ("Another line",))])
    assert is_boilerplate("Please write before you come.", "wiki", boilerplate.lines()) is is_known


def test_ends_take_no_place_from_answers_to_parts_alone() -> None:
    boilerplate = Boilerplate()
    boilerplate.note(("wiki", topic, (f"All about {topic}", "Text under a free licence")) for topic in TOPICS)
    boilerplate.note(("wiki", f"{END}topic {number}", (f"line of {number * 'm'}",)) for number in range(40))
    assert is_boilerplate("Text under a free licence", "wiki", boilerplate.lines())


def test_a_line_that_always_comes_with_the_same_others_is_content() -> None:
    """The opening hours are: what is open today, and the table below it."""
    hours = ("Open until seven", "Mon to Fri from nine")
    three_others = {"tides": ("Open until seven", "High water at six"), "reefs": ("Open until seven",)}
    assert is_boilerplate("Open until seven", "wiki", learnt(dict.fromkeys(TOPICS, hours) | three_others))
    one_other = {"tides": ("Open until seven", "High water at six")}
    assert not is_boilerplate("Open until seven", "wiki", learnt(dict.fromkeys(TOPICS, hours) | one_other))


@pytest.mark.parametrize(("questions", "is_known"), [(3, True), (2, False)])
def test_a_line_about_the_question_is_boilerplate_of_all_once_it_is_said_to_three(
    questions: int, is_known: bool
) -> None:
    offer = f"Let me know if you need more on {ANY_QUESTION}."
    boilerplate = Boilerplate()
    boilerplate.note(("wiki", topic, (f"All about {topic}.", offer)) for topic in TOPICS[:questions])
    assert is_boilerplate(offer, "news", boilerplate.lines()) is is_known


def test_lines_about_the_question_do_not_make_a_state_another_thing() -> None:
    """A source that always says the same, and offers more in several wordings, has no boilerplate."""
    answers = {topic: ("Back door is shut", f"{ANY_QUESTION} wording {number}") for number, topic in enumerate(TOPICS)}
    assert not is_boilerplate("Back door is shut", "wiki", learnt(answers))


def test_a_line_is_the_same_with_straight_and_curly_apostrophes() -> None:
    assert line_digest("That’s all that I could find in the book") == line_digest(
        "That's all that I could find in the book"
    )


def test_a_line_about_the_question_is_the_same_with_the_sign_that_ends_the_question() -> None:
    assert line_digest(f"Shall I look for more on {ANY_QUESTION}?") == line_digest(
        f"Shall I look for more on {ANY_QUESTION}"
    )
    assert line_digest(f"Shall I look for {ANY_QUESTION}, or not?") != line_digest(f"Shall I look for {ANY_QUESTION}?")
