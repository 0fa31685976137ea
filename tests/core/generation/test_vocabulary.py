import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selftest.core.generation.vocabulary import Seeds, Vocabulary, VocabularyError, parse_vocabulary
from tests.vocabularies import Document, example_document, small_document


def faults_of(document: object) -> list[str]:
    with pytest.raises(VocabularyError) as refused:
        parse_vocabulary(document)
    assert str(refused.value) == "; ".join(map(str, refused.value.faults))
    return [str(fault) for fault in refused.value.faults]


def with_value(path: str, value: Any) -> Document:
    document = small_document()
    *parents, last = path.split(".")
    inner = document
    for key in parents:
        inner = inner[key]
    inner[last] = value
    return document


def without(path: str) -> Document:
    document = with_value(path, None)
    *parents, last = path.split(".")
    inner = document
    for key in parents:
        inner = inner[key]
    del inner[last]
    return document


# --- what a good document gives ---


def test_a_whole_document_is_parsed_into_values_as_they_stand():
    vocabulary = parse_vocabulary(small_document())
    assert vocabulary.name == "harbour office"
    assert dict(vocabulary.sources) == {
        "tides": ("high tide", "low tide"),
        "ferry": ("next ferry",),
        "harbour": ("harbour lights", "berths free"),
    }
    assert vocabulary.conjunctions == (" and ", " plus ", ", also ")
    assert vocabulary.headers["almanac"] == "[ALMANAC — THINGS KNOWN — NOT ABOUT TODAY]"
    assert vocabulary.encyclopedia == "almanac"
    assert vocabulary.merged_source == "digest"
    assert dict(vocabulary.fallbacks) == {"ferry": ("harbour",)}
    assert vocabulary.seeds.consequences == ("ring me",)


def test_the_fuller_document_is_accepted_as_well():
    assert len(parse_vocabulary(example_document()).sources) == 6


@pytest.mark.parametrize("key", ["nosplit_phrases", "discourse_phrases", "empty_phrases", "fallbacks", "presence_only"])
def test_a_key_that_a_target_may_have_no_use_for_can_be_left_out(key: str):
    assert not getattr(parse_vocabulary(without(key)), key)


def test_a_target_drops_its_empty_sections_unless_it_says_otherwise():
    assert not parse_vocabulary(with_value("name", "harbour")).keeps_empty_sections
    assert parse_vocabulary(with_value("keeps_empty_sections", True)).keeps_empty_sections


@pytest.mark.parametrize(
    "habit", ["lists_items_once", "ignores_signs", "nosplit_holds_query", "opens_with_text", "sections_by_part"]
)
def test_a_target_has_a_habit_of_its_vocabulary_only_where_it_says_so(habit: str):
    """Whether it lists an item once, finds the same for quoted words, keeps a query with a nosplit phrase together,
    begins with a summary, and has a section for each part.
    """
    assert not getattr(parse_vocabulary(with_value("name", "harbour")), habit)
    assert getattr(parse_vocabulary(with_value(habit, True)), habit)


def test_seeds_can_each_be_left_out():
    assert parse_vocabulary(with_value("seeds", {})).seeds == Seeds()


def test_parsing_leaves_the_document_as_it_was():
    document = small_document()
    before = copy.deepcopy(document)
    parse_vocabulary(document)
    assert document == before


def test_changing_the_document_afterwards_changes_nothing_in_the_vocabulary():
    document = small_document()
    vocabulary = parse_vocabulary(document)
    document["sources"]["tides"].append("spring tide")
    document["sources"]["gulls"] = ["gull count"]
    assert "gulls" not in vocabulary.sources
    assert vocabulary.sources["tides"] == ("high tide", "low tide")


def test_a_header_may_be_given_for_a_source_that_only_stands_in():
    document = with_value("fallbacks.ferry", ["timetable"])
    document["headers"]["timetable"] = "[TIMETABLE — PRINTED]"
    assert parse_vocabulary(document).headers["timetable"] == "[TIMETABLE — PRINTED]"


# --- what is refused, and how it is named ---


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        (None, "null"),
        ([], "a list"),
        ("vocabulary", "text"),
        (7, "a number"),
        (7.5, "a number"),
        (True, "true or false"),
    ],
)
def test_a_document_that_is_no_object_is_refused(document: object, kind: str):
    assert faults_of(document) == [f"document: an object is needed, not {kind}"]


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        ("name", "", "name: empty"),
        ("name", 3, "name: text is needed, not a number"),
        ("name", " harbour", "name: ' harbour' has space around it"),
        ("name", "a\x00b", "name: 'a\\x00b' holds a control character or half a surrogate pair"),
        ("encyclopedia", None, "encyclopedia: text is needed, not null"),
        ("merged_source", [], "merged_source: text is needed, not a list"),
        ("sources", [], "sources: an object is needed, not a list"),
        ("sources.tides", "high tide", "sources.tides: a list is needed, not text"),
        ("sources.tides", [], "sources.tides: no phrases"),
        ("sources.tides", ["a", "b", "c", " "], "sources.tides[3]: empty phrase"),
        ("sources.tides", ["high tide", 4], "sources.tides[1]: text is needed, not a number"),
        ("sources.tides", ["high tide "], "sources.tides[0]: 'high tide ' has space around it"),
        (
            "sources.tides",
            ["high tide", "low tide", "High  TIDE"],
            "sources.tides[2]: 'High  TIDE' is already at sources.tides[0]",
        ),
        ("sources.tides", ["x" * 501], "sources.tides[0]: 501 characters; at most 500"),
        (
            "seeds.open_topics",
            ["a\nb"],
            "seeds.open_topics[0]: 'a\\nb' holds a control character or half a surrogate pair",
        ),
        (
            "seeds.open_topics",
            ["a\ud800b"],
            "seeds.open_topics[0]: 'a\\ud800b' holds a control character or half a surrogate pair",
        ),
        ("conjunctions", "and", "conjunctions: a list is needed, not text"),
        (
            "conjunctions",
            [" and ", "plus"],
            "conjunctions[1]: 'plus' would glue words together; give it with its spaces: ' plus '",
        ),
        (
            "conjunctions",
            [" and"],
            "conjunctions[0]: ' and' would glue words together; give it with its spaces: ' and '",
        ),
        ("conjunctions", ["  "], "conjunctions[0]: empty phrase"),
        ("nosplit_phrases", ["versus", "Versus"], "nosplit_phrases[1]: 'Versus' is already at nosplit_phrases[0]"),
        ("headers", [], "headers: an object is needed, not a list"),
        ("headers.tides", 4, "headers.tides: text is needed, not a number"),
        ("headers.tides", "-----", "headers.tides: '-----' parts sections; none could be told by it"),
        ("headers.gulls", "[GULLS]", "headers.gulls: no such source in sources, encyclopedia or fallbacks"),
        ("headers.tides", "[FERRY — SAILINGS]", "headers.ferry: the same header as 'tides'"),
        ("fallbacks", [], "fallbacks: an object is needed, not a list"),
        ("fallbacks.ferry", [], "fallbacks.ferry: no sources"),
        ("fallbacks.gulls", ["tides"], "fallbacks.gulls: no such source in sources or encyclopedia"),
        ("presence_only", ["tides", "gulls"], "presence_only[1]: 'gulls' is no source with a header"),
        ("presence_only", "tides", "presence_only: a list is needed, not text"),
        ("seeds", None, "seeds: an object is needed, not null"),
        ("seeds.open_topics", {}, "seeds.open_topics: a list is needed, not an object"),
        ("lists_items_once", "yes", "lists_items_once: true or false is needed, not text"),
        ("ignores_signs", 1, "ignores_signs: true or false is needed, not a number"),
        ("nosplit_holds_query", None, "nosplit_holds_query: true or false is needed, not null"),
        ("opens_with_text", "", "opens_with_text: true or false is needed, not text"),
        ("keeps_empty_sections", "yes", "keeps_empty_sections: true or false is needed, not text"),
        ("emptyphrases", [], "emptyphrases: unknown key; did you mean 'empty_phrases'?"),
        ("xyz", [], "xyz: unknown key"),
        ("seeds.condition", [], "seeds.condition: unknown key; did you mean 'conditions'?"),
        (
            "merged_source",
            "tides",
            "merged_source: 'tides' is a source of its own; a merged answer could not be told apart",
        ),
        (
            "merged_source",
            "almanac",
            "merged_source: 'almanac' is a source of its own; a merged answer could not be told apart",
        ),
    ],
)
def test_a_fault_is_named_with_its_key(path: str, value: Any, fault: str):
    assert faults_of(with_value(path, value)) == [fault]


@pytest.mark.parametrize(
    "key", ["name", "sources", "conjunctions", "headers", "encyclopedia", "merged_source", "seeds"]
)
def test_a_key_that_every_target_needs_is_named_where_it_is_missing(key: str):
    assert faults_of(without(key)) == [f"{key}: missing"]


@pytest.mark.parametrize("source", ["tides", "almanac"])
def test_a_source_without_a_header_is_refused(source: str):
    expected = f"headers.{source}: missing; without it a section of this source cannot be recognised"
    assert faults_of(without(f"headers.{source}")) == [expected]


def test_a_router_without_any_source_is_refused():
    assert "sources: no source; a router has at least one" in faults_of(with_value("sources", {}))


def test_all_faults_are_named_at_once():
    document = small_document()
    document["sources"]["tides"].append("")
    document["sources"]["gulls"] = ["gull count"]  # without a header
    document["conjunctions"][1] = "plus"
    document["headers"]["ferry"] = 1
    document["headers"]["harbour"] = document["headers"]["tides"]
    document["fallbacks"]["seals"] = ["tides"]
    document["seeds"]["topics"] = []
    del document["name"]
    keys = [fault.split(": ")[0] for fault in faults_of(document)]
    assert sorted(keys) == [
        "conjunctions[1]",
        "fallbacks.seals",
        "headers.ferry",
        "headers.gulls",
        "headers.harbour",
        "name",
        "seeds.topics",
        "sources.tides[2]",
    ]


@pytest.mark.parametrize(
    "gone", [[], ["merged_source"], ["fallbacks"], ["encyclopedia", "headers.almanac"], ["name", "merged_source"]]
)
def test_a_header_that_is_missing_is_named_beside_keys_that_are(gone: list[str]):
    document = without("headers.tides")
    for key in gone:
        above, _, last = key.rpartition(".")
        del (document[above] if above else document)[last]
    faults = faults_of(document)
    assert "headers.tides: missing; without it a section of this source cannot be recognised" in faults
    assert not any("headers.almanac" in fault for fault in faults)  # no one can say that it is wanted, or is not


def test_an_empty_object_lacks_what_is_needed_and_nothing_else():
    assert faults_of({}) == [
        f"{key}: missing"
        for key in ("name", "sources", "conjunctions", "headers", "encyclopedia", "merged_source", "seeds")
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(key=st.sampled_from(sorted(small_document())), value=JSON)
def test_any_json_in_place_of_a_value_is_parsed_or_refused_and_never_breaks(key: str, value: Any):
    document = with_value(key, value)
    try:
        outcome: Vocabulary | VocabularyError = parse_vocabulary(document)
    except VocabularyError as refused:
        outcome = refused
    assert isinstance(outcome, Vocabulary) or outcome.faults


# --- which sources a text names ---


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("high tide", {"tides"}),
        ("when is HIGH Tide, please", {"tides"}),
        ("high   tide", {"tides"}),
        ("high\ntide", {"tides"}),
        ("high tides", set()),
        ("knee-high tide", {"tides"}),  # a hyphen parts words
        ("khigh tide", set()),
        ("high, tide", set()),
        ("high tide's", {"tides"}),
        ("next ferry at low tide with berths free", {"ferry", "tides", "harbour"}),
        ("ferry", set()),
        ("", set()),
    ],
)
def test_keywords_are_found_as_whole_words_whatever_the_case(small: Vocabulary, text: str, named: set[str]):
    assert small.sources_named_in(text) == named


def test_a_phrase_inside_a_longer_one_names_its_source_too():
    document = with_value("sources.ferry", ["tide"])
    assert parse_vocabulary(document).sources_named_in("low tide") == {"tides", "ferry"}


def test_a_phrase_of_signs_is_no_pattern():
    vocabulary = parse_vocabulary(with_value("sources.ferry", ["c++", "what (else)?"]))
    assert vocabulary.sources_named_in("learn c++ now") == {"ferry"}
    assert vocabulary.sources_named_in("what (else)?") == {"ferry"}
    assert vocabulary.sources_named_in("what else") == set()


def test_a_source_is_its_own_stand_in_beside_the_documented_ones(small: Vocabulary):
    assert small.stand_ins("ferry") == {"ferry", "harbour"}
    assert small.stand_ins("harbour") == {"harbour"}
    assert small.stand_ins("unheard of") == {"unheard of"}
