"""Terminology: whole words, any case, not in code or addresses, the same each time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.evaluation.core.graders.terminology import Terminology
from selftest.evaluation.core.samples import Sample, Score, Term

CATALOGUE = Term("item registry", ("registry", "product catalogue", "SKU list"))
GRADER = Terminology([CATALOGUE, Term("order", ("purchase",))])


def graded(answer: str, grader: Terminology = GRADER) -> Score:
    return grader.grade(Sample("", answer))


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("The item registry holds every order.", 1.0),
        ("The product catalogue holds every purchase.", 0.0),
        ("The item registry holds every purchase.", 0.5),
        ("The Item\n Registry, then the SKU LIST, an order, an order.", 0.75),
        ("A registry.", 0.0),
        ("A re-registry of registry-like registrys holds an order.", 1.0),
        ("See `product catalogue` and\n```\npurchase()\n```\nof the order.", 1.0),
        ("An order. ```\npurchase", 1.0),
        ("An order: ``a `purchase` b`` and <code>purchase</code>, <pre class='x'>\npurchase</pre>.", 1.0),
        ("An order: [this one](purchase.html) and [that one](/purchase/7 'order').", 1.0),
        ("An order: purchase.example.com, example.com/purchase and shop.example/a?purchase.", 1.0),
        ("An order, a <b>purchase</b>, [a purchase](x.html) and one more.Purchase.", 0.25),
        ("An `order.\nA purchase`, it's `` said.", 0.5),
        ("An order:\n\n    purchase()\n\n    purchase()\n\nA purchase.", 0.5),
        ("An order:\r\n  \r\n    purchase()\r\n", 1.0),
        ("\tpurchase()\n\nAn order.", 1.0),
        ("- An order\n    of a purchase, further down in the item.", 0.5),
        ("An order in /srv/purchase/registry, ~/purchase or ./purchase/a.", 1.0),
        ("An order in src/purchase/registry.py, purchase/b.txt and C:\\purchase\\a.", 1.0),
        ("An order in lib\\purchase\\a.ini.", 1.0),
        ("An order or a purchase/registry.", 1 / 3),  # one or the other: no file
        ("An order: https://a.example/purchase/registry or www.purchase.example or purchase@a.example", 1.0),
    ],
)
def test_the_share_of_terms_among_terms_and_rivals(answer: str, value: float) -> None:
    assert graded(answer).value == value


def test_each_rival_is_named_with_the_term() -> None:
    assert graded("A purchase of the SKU list.").details == (
        "purchase: the target says order",
        "sku list: the target says item registry",
    )


def test_nothing_is_said_of_an_answer_without_either() -> None:
    assert (graded("A tram.").value, graded("A tram.").label) == (None, "no terms")


def test_nothing_is_said_without_a_dictionary() -> None:
    score = graded("A purchase.", Terminology())
    assert (score.value, score.label) == (None, "no dictionary")


def test_a_word_that_is_a_term_and_a_rival_counts_as_the_term() -> None:
    assert graded("order", Terminology([Term("order", ("purchase",)), Term("deed", ("order",))])).value == 1.0


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert graded("Ein Cafe\u0301.", Terminology([Term("Kantine", ("Café",))])).value == 0.0


words = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)
anything = st.text(st.characters(exclude_categories=()))


@given(st.lists(st.builds(Term, words, st.tuples(words))), anything)
def test_any_text_has_a_share_or_none_and_twice_the_same(terms: list[Term], text: str) -> None:
    score = graded(text, Terminology(terms))
    assert score.value is None or 0 <= score.value <= 1
    assert graded(text, Terminology(terms)) == score


@given(anything, anything)
def test_a_rival_in_plain_words_is_never_missed(before: str, after: str) -> None:
    plain = "".join(letter for letter in f"{before} purchase {after}" if letter.isalpha() or letter == " ")
    score = graded(plain)
    assert score.value is not None
    assert score.value < 1


@given(st.lists(anything), st.text(st.characters(exclude_characters="`\n", exclude_categories=("Cs",))))
def test_nothing_in_a_fence_counts(rivals: list[str], code: str) -> None:
    assert graded(f"order\n```\n{code} purchase\n```\n").value == 1.0


def test_any_words_can_be_a_term() -> None:
    grader = Terminology([Term("C++ (new)", ("C# [old]", ".*"))])
    assert graded("We use C++ (new), not C# [old].", grader).value == 0.5
