"""The page of search: groups, marks, what else to try, who finds what, and what readers say of results."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from review.contexts.search import Piece, pieces_of, safe_url
from selftest.knowledge import search_records
from selftest.knowledge.core.answers import Marked
from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.models import Click, Feedback, Search
from selftest.models import Target
from selftest.storage import full_text
from tests.knowledge.found_on_pages import RESTORE, put
from tests.review import factory
from tests.review.pages import SCRIPT, assert_escaped, is_whole, text_of
from tests.roles import give

pytestmark = pytest.mark.django_db

IN_THE_BOX = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "search-box-results"}
RATED = {"q": "restore", "id": RESTORE.id, "kind": "docs", "rating": "up"}


@pytest.fixture
def ada(db: None) -> Client:
    """The browser of an admin."""
    client = Client()
    client.force_login(give(User.objects.create_user("ada"), "admin"))
    return client


def found(client: Client, **query: str) -> list[str]:
    """Ids of results, as the page has them."""
    groups = client.get("/search", query).context["page"].groups
    return [line.id for group in groups for line in group.lines]


def test_before_anything_is_asked_the_page_says_what_could_be(vera: Client) -> None:
    text = text_of(vera.get("/search"))
    assert "Such as restore a backup" in text
    assert "Nothing found" not in text
    assert not Search.objects.exists()


def test_spaces_alone_ask_nothing(vera: Client) -> None:
    assert "Nothing found" not in text_of(vera.get("/search", {"q": "   "}, follow=True))
    assert "Nothing found" not in vera.get("/search", {"q": "   "}, **IN_THE_BOX).content.decode()


def test_results_stand_in_groups_with_their_counts_and_lead_to_what_was_found(vera: Client) -> None:
    put()
    response = vera.get("/search", {"q": "backup"})
    groups = {group.name: [line.url for line in group.lines] for group in response.context["page"].groups}
    assert groups["Docs"] == ["/status#restore"]
    assert sorted(groups["Doctor"]) == ["/status#GF010", "/status#GF099"]
    assert "Doctor 2" in text_of(response)
    assert "README.md › Operate" in text_of(response)


def test_a_type_narrows_the_search(vera: Client) -> None:
    put()
    assert found(vera, q="backup", kind="docs") == [RESTORE.id]
    assert found(vera, q="backup", kind="cause") == []


def test_what_matched_is_marked(vera: Client) -> None:
    put()
    markup = vera.get("/search", {"q": "restore"}).content.decode()
    assert re.search(r"<mark>[Rr]estore</mark>", markup)


def test_what_was_ingested_is_text_wherever_it_stands(vera: Client) -> None:
    nasty = Chunk(
        "docs:nasty", Kind.DOCS, f"Comet {SCRIPT}", f"comet {SCRIPT} comet", path=SCRIPT, section_path=(SCRIPT,),
        tags=(SCRIPT,), url="javascript:alert(1)",
    )  # fmt: skip
    put(nasty)
    response = vera.get("/search", {"q": "comet"})
    assert found(vera, q="comet") == ["docs:nasty"]
    assert_escaped(response)
    assert "javascript:" not in response.content.decode()
    assert_escaped(vera.get("/search", {"q": SCRIPT}))


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("headers", [{}, IN_THE_BOX])
def test_no_kind_of_result_runs_what_it_was_made_of(vera: Client, kind: Kind, headers: dict[str, str]) -> None:
    details = {"method": SCRIPT, "path": SCRIPT, "checkCode": SCRIPT, "runCommand": SCRIPT, "remedyCommand": SCRIPT}
    nasty = Chunk(
        f"{kind}:nasty", kind, f"Comet {SCRIPT}", f"comet {SCRIPT} comet", path=SCRIPT, anchor=SCRIPT,
        section_path=(SCRIPT,), tags=(SCRIPT,), service=SCRIPT, url=f"/{SCRIPT}", identifiers=(SCRIPT,),
        details=details,
    )  # fmt: skip
    put(nasty)
    response = vera.get("/search", {"q": "comet"}, **headers)
    assert "comet" in response.content.decode()
    assert SCRIPT not in response.content.decode()
    if not headers:
        assert nasty.id in found(vera, q="comet")


def test_only_admins_find_what_is_for_admins(vera: Client, ada: Client) -> None:
    put()
    assert "target:secret" in found(ada, q="backup router")
    assert "target:secret" not in found(vera, q="backup router")


def test_where_nothing_is_found_the_page_says_what_to_try(vera: Client) -> None:
    put()
    text = text_of(vera.get("/search", {"q": "zzyzx", "kind": "docs"}))
    assert "Nothing found" in text
    assert "Search everything for it" in text
    assert "Search all combinations for “zzyzx”" in text


@pytest.mark.parametrize(
    ("address", "named"),
    [("/search?q=x&kind=planet", "planet"), ("/search?q=x&target=mars", "mars"), (f"/search?q={'x' * 513}", "512")],
)
def test_what_makes_no_sense_is_named_and_widens_nothing(
    vera: Client, target: Target, address: str, named: str
) -> None:
    response = vera.get(address)
    assert response.status_code == 400
    assert named in text_of(response)
    assert not Search.objects.exists()


def test_the_box_gets_its_part_and_the_search_counts_as_half_typed(vera: Client) -> None:
    put()
    response = vera.get("/search", {"q": "backup"}, **IN_THE_BOX)
    assert not is_whole(response)
    assert 'id="box-docs"' in response.content.decode()
    assert Search.objects.get().source == "typing"
    assert "no-store" in response["Cache-Control"]


def test_the_page_counts_as_a_search_and_keeps_no_words(vera: Client) -> None:
    put()
    vera.get("/search", {"q": "restore"})
    row = Search.objects.get()
    assert (row.source, row.results > 0) == ("page", True)
    assert "restore" not in str(Search.objects.values().get())


# --- what readers say ---


def test_a_rating_takes_the_place_of_the_one_before(vera: Client) -> None:
    put()
    vera.post("/search/rate", {**RATED, "back": "/search?q=restore"})
    response = vera.post("/search/rate", {**RATED, "rating": "down", "back": "/search?q=restore"})
    assert response.headers["Location"] == "/search?q=restore"
    rating = Feedback.objects.get()
    assert (rating.chunk_key, rating.rating, rating.actor) == (RESTORE.id, "down", "vera")
    assert 'aria-pressed="true"' in vera.get("/search", {"q": "restore"}).content.decode()


def test_to_htmx_a_rating_gives_the_thumbs_as_they_are_now(htmx: Client) -> None:
    put()
    response = htmx.post("/search/rate", {**RATED, "place": "box", "number": "1", "title": SCRIPT})
    assert not is_whole(response)
    markup = response.content.decode()
    assert re.search(r'id="box-up-1" aria-pressed="true"', markup)
    assert SCRIPT not in markup


@pytest.mark.parametrize(
    "changed", [{"rating": "sideways"}, {"id": ""}, {"q": ""}, {"kind": "planet"}, {"id": "x" * 101}]
)
def test_a_rating_of_nothing_known_is_refused(vera: Client, changed: dict[str, str]) -> None:
    assert vera.post("/search/rate", {**RATED, **changed}).status_code == 400
    assert not Feedback.objects.exists()


def test_what_a_script_tells_is_counted(vera: Client) -> None:
    put()
    assert vera.post("/search/note", {"id": RESTORE.id}).status_code == 204
    assert Click.objects.get().chunk_key == RESTORE.id
    assert not Search.objects.exists()
    vera.post("/search/note", {"q": "restore", "place": "box"})
    assert Search.objects.get().source == "page"


@pytest.mark.parametrize("hit", ["nul\0", "a" * 101])
def test_what_no_result_is_called_is_refused(vera: Client, hit: str) -> None:
    assert vera.post("/search/rate", {**RATED, "id": hit}).status_code == 400
    assert vera.post("/search/note", {"id": hit}).status_code == 400
    assert not Click.objects.exists()


@pytest.mark.parametrize("address", ["/search/rate", "/search/note"])
def test_only_a_form_of_ours_is_taken(reviewer: User, address: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(reviewer)
    assert strict.post(address, RATED).status_code == 403


# --- values ---


@pytest.mark.parametrize(
    ("marked", "pieces"),
    [
        (Marked("a comet", ((2, 7),)), (("a ", False), ("comet", True))),
        (Marked("comet", ((0, 5),)), (("comet", True),)),
        (Marked("plain"), (("plain", False),)),
        (Marked("", ()), ()),
        (Marked("odd spans", ((4, 2), (0, 99), (0, 3))), (("odd", True), (" spans", False))),
        (Marked("one two", ((0, 3), (2, 5), (4, 7))), (("one", True), (" ", False), ("two", True))),
    ],
)
def test_a_snippet_is_shown_whole_whatever_its_spans_say(marked: Marked, pieces: tuple[tuple[str, bool], ...]) -> None:
    assert pieces_of(marked) == tuple(Piece(text, is_marked) for text, is_marked in pieces)
    assert "".join(piece.text for piece in pieces_of(marked)) == marked.text


@pytest.mark.parametrize(
    ("url", "followed"),
    [
        ("/causes/12", True),
        ("https://router.example/docs", True),
        ("javascript:alert(1)", False),
        ("JavaScript:alert(1)", False),
        ("//elsewhere.example", False),
        ("/\\elsewhere.example", False),
        ("data:text/html,x", False),
        ("", False),
    ],
)
def test_a_result_leads_to_pages_alone(url: str, followed: bool) -> None:
    assert safe_url(url) == (url if followed else "")


# --- what the rail's search could do before ---


def test_a_flagged_query_is_found_by_its_words_and_by_its_number(vera: Client) -> None:
    made = factory.flagged("tell me about molybdenum")
    full_text.note_new([made])
    for query in ("molybdenum", f"#{made.pk}"):
        groups = vera.get("/search", {"q": query}).context["page"].groups
        urls = {group.name: [line.url for line in group.lines] for group in groups}
        assert f"/combinations/{made.pk}" in urls["Flags"], query


def test_whole_queries_are_offered_again_to_a_person_who_keeps_theirs(
    vera: Client, onlooker: Client, reviewer: User
) -> None:
    vera.get("/search", {"q": "before"})
    search_records.choose_history(reviewer, keep=True)
    vera.get("/search", {"q": "restore a comet"})
    vera.get("/search", {"q": "half typ"}, **IN_THE_BOX)
    vera.post("/search/note", {"q": "left in the box", "place": "box"})
    assert "You searched for left in the box · restore a comet" in text_of(vera.get("/search"))
    assert "half typ" not in text_of(vera.get("/search"))
    assert "You searched for" not in text_of(onlooker.get("/search"))
