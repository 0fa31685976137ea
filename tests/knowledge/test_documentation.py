"""A target's own documentation: added, read again, removed; refused as a whole where it cannot be read."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.db import connection
from pytest_httpserver import HTTPServer

from selftest.knowledge.core.answers import SearchRequest
from selftest.knowledge.documentation_acts import DocumentationRefusedError, add, describe, read_again, remove
from selftest.knowledge.models import Chunk, Document, Documentation, IndexState, Promise, SearchSettings, Term
from selftest.knowledge.promises import promise_sources
from selftest.knowledge.rebuilding import rebuild
from selftest.knowledge.searching import search
from selftest.models import Target

REFERENCE = Path(__file__).parent / "documentation" / "reference.md"
HARBOUR = Path(__file__).parent / "documentation" / "harbour.md"

pytestmark = pytest.mark.django_db


@pytest.fixture
def target(db: None) -> Target:
    return Target.objects.create(name="harbour", kind=Target.Kind.REFERENCE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("selftest.knowledge.gathering.documentation_folder", lambda: tmp_path / "documentation")
    (tmp_path / "documentation" / "manual").mkdir(parents=True)
    return tmp_path / "documentation" / "manual"


def of(target: Target, origin: str, location: str, name: str = "manual") -> Documentation:
    return Documentation(target=target, name=name, origin=origin, location=location)


def zipped(files: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def damaged(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]


def nothing_was_saved() -> bool:
    return not (Documentation.objects.exists() or Document.objects.exists() or Chunk.objects.exists())


def test_an_upload_is_found_by_search_as_the_targets_own(target: Target) -> None:
    add(of(target, "upload", "harbour.md"), HARBOUR.read_bytes())
    found = search(SearchRequest("swapping the order of questions")).hits[0]
    assert (found.target_id, found.path, found.anchor) == (target.pk, "harbour.md", "what-you-can-count-on")


def test_a_zip_file_brings_its_documents_and_leaves_out_what_describes_no_api(target: Target) -> None:
    api = json.dumps({"openapi": "3.1.0", "paths": {"/tides": {"get": {"operationId": "tides"}}}})
    files = {"docs/a.md": b"# A\n\nText.", "docs/api.json": api.encode(), "package.json": b'{"name": "x"}'}
    add(of(target, "upload", "docs.zip"), zipped(files))
    assert list(Document.objects.order_by("path").values_list("path", flat=True)) == ["docs/a.md", "docs/api.json"]
    tides = Chunk.objects.get(path="docs/api.json")
    documentation = Documentation.objects.get()
    assert tides.url == f"/knowledge/documentation/{documentation.pk}/docs/api.json#doc-tides"


def test_a_folder_is_read_again_as_it_is_then_without_a_ghost(target: Target, folder: Path) -> None:
    (folder / "old.md").write_text("# Old\n\nKettles.")
    (folder / ".hidden.md").write_text("# Hidden")
    documentation = of(target, "folder", "manual")
    add(documentation)
    (folder / "old.md").rename(folder / "new.md")
    written = read_again(documentation)
    assert (written.added, written.removed) == (1, 1)
    assert list(Chunk.objects.values_list("path", flat=True)) == ["new.md"]


@pytest.mark.parametrize("location", ["..", "../..", "/etc", "nowhere"])
def test_no_folder_elsewhere_is_read(target: Target, folder: Path, location: str) -> None:
    (folder.parent.parent / "secret.md").write_text("# Secret")
    with pytest.raises(DocumentationRefusedError, match=r"is not below|there is no folder"):
        add(of(target, "folder", location))
    assert nothing_was_saved()


@pytest.mark.parametrize("location", ["a" * 300, "circle", "nul\0"])
def test_a_name_that_no_folder_can_have_is_refused(target: Target, folder: Path, location: str) -> None:
    (folder.parent / "circle").symlink_to(folder.parent / "circle")
    with pytest.raises(DocumentationRefusedError, match="names no folder"):
        add(of(target, "folder", location))
    assert nothing_was_saved()


def test_a_link_out_of_the_folder_is_passed_over(target: Target, folder: Path) -> None:
    (folder.parent.parent / "secret.md").write_text("# Secret")
    (folder / "a.md").write_text("# A")
    (folder / "b.md").symlink_to(folder.parent.parent / "secret.md")
    add(of(target, "folder", "manual"))
    assert list(Document.objects.values_list("path", flat=True)) == ["a.md"]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("bomb.zip", zipped({"a.md": b"a" * 30_000_000}), r"^bomb\.zip holds more than|^a\.md has more than"),
        ("many.zip", zipped({f"{n}.md": b"# A" for n in range(501)}), r"^many\.zip holds more than 500 documents"),
        ("up.zip", zipped({"../../up.md": b"# A"}), r"^the path '\.\./\.\./up\.md' leads elsewhere"),
        ("root.zip", zipped({"/etc/x.md": b"# A"}), r"^the path '/etc/x\.md' leads elsewhere"),
        ("back.zip", zipped({"a\\..\\b.md": b"# A"}), r"leads elsewhere|holds no document"),
        ("no.zip", b"PK\x03\x04 nothing", r"^no\.zip is no zip file that can be read"),
        (
            "lzma.zip",
            damaged(zipped({"a.md": b"# hi\n" * 100}, zipfile.ZIP_LZMA), 38),
            r"^lzma\.zip is no zip file that can",
        ),
        ("empty.zip", zipped({"a.png": b"x"}), r"^empty\.zip holds no document that can be read"),
        ("a.exe", b"MZ", r"^a\.exe is of no kind that can be read"),
        ("a.md", b"\xff\xfe", r"^a\.md is not UTF-8 text"),
        ("a.yaml", b"a: &a [*a]", r"^a\.yaml: the alias"),
        ("a.json", b"[" * 10_000, r"^a\.json is nested more than 64 levels deep"),
        ("a.json", b'{"name": "x"}', r"^a\.json describes no API"),
        ("a.md", b"x" * (5 * 1024 * 1024 + 1), r"^a\.md has 5,242,881 bytes"),
    ],
)
def test_a_hostile_upload_is_refused_and_nothing_is_saved(target: Target, name: str, content: bytes, why: str) -> None:
    with pytest.raises(DocumentationRefusedError, match=why) as refused:
        add(of(target, "upload", name), content)
    assert "\n" not in str(refused.value)
    assert nothing_was_saved()


@pytest.fixture
def docs(httpserver: HTTPServer) -> Iterator[HTTPServer]:
    SearchSettings.get_solo()
    SearchSettings.objects.update(documentation_hosts=f"docs.example\n{httpserver.host}:{httpserver.port}")
    return httpserver


def test_an_address_is_fetched_from_a_host_on_the_list(target: Target, docs: HTTPServer) -> None:
    docs.expect_request("/raw").respond_with_data("# Kettle\n\nIt boils.", content_type="text/markdown; charset=utf-8")
    documentation = of(target, "url", docs.url_for("/raw"))
    add(documentation)
    assert Chunk.objects.get().path == "raw.md"
    assert Chunk.objects.get().body == "It boils."


def test_no_other_host_is_asked_not_even_after_a_redirect(target: Target, docs: HTTPServer) -> None:
    elsewhere = f"http://127.0.0.1:{docs.port}/a.md"
    docs.expect_request("/moved.md").respond_with_data("", 302, {"Location": elsewhere})
    for url in (elsewhere, docs.url_for("/moved.md")):
        with pytest.raises(DocumentationRefusedError, match=r"127\.0\.0\.1 is not on the list of hosts"):
            add(of(target, "url", url))
    assert nothing_was_saved()
    assert [request.path for request, _ in docs.log] == ["/moved.md"]


def test_redirects_end(target: Target, docs: HTTPServer) -> None:
    docs.expect_request("/a.md").respond_with_data("", 302, {"Location": "/a.md"})
    with pytest.raises(DocumentationRefusedError, match="more than 3 redirects"):
        add(of(target, "url", docs.url_for("/a.md")))


def test_more_than_five_megabytes_are_not_fetched(target: Target, docs: HTTPServer) -> None:
    docs.expect_request("/a.md").respond_with_data(b"x" * (5 * 1024 * 1024 + 1))
    with pytest.raises(DocumentationRefusedError, match="more than 5,242,880 bytes"):
        add(of(target, "url", docs.url_for("/a.md")))


def test_private_addresses_are_refused_as_for_targets(target: Target, docs: HTTPServer, settings: LazySettings) -> None:
    settings.TARGET_PRIVATE = False
    with pytest.raises(DocumentationRefusedError, match="TARGET_PRIVATE=false allows public addresses only"):
        add(of(target, "url", docs.url_for("/a.md")))
    assert docs.log == []


def test_what_cannot_be_read_again_leaves_what_there_was_and_is_noted(target: Target, docs: HTTPServer) -> None:
    docs.expect_ordered_request("/a.md").respond_with_data("# A\n\nText.")
    docs.expect_ordered_request("/a.md").respond_with_data("gone", 410)
    documentation = of(target, "url", docs.url_for("/a.md"))
    add(documentation)
    with pytest.raises(DocumentationRefusedError, match="HTTP 410"):
        read_again(documentation)
    documentation.refresh_from_db()
    assert documentation.problem.endswith("was not fetched: HTTP 410")
    assert Chunk.objects.get().body == "Text."


def test_a_version_that_is_named_later_is_one_that_search_filters_by(target: Target) -> None:
    documentation = of(target, "upload", "a.md")
    add(documentation, b"# A\n\nText.")
    documentation.version = "3.1"
    describe(documentation)
    assert Chunk.objects.get().version == "3.1"


def test_what_is_removed_is_found_no_more(target: Target) -> None:
    documentation = of(target, "upload", "harbour.md")
    add(documentation, HARBOUR.read_bytes())
    assert remove(documentation) == 5
    assert nothing_was_saved()
    assert search(SearchRequest("swapping the order of questions")).hits == []


def test_with_its_target_goes_all_that_it_is_found_by(target: Target) -> None:
    add(of(target, "upload", "harbour.md"), HARBOUR.read_bytes())
    assert Term.objects.filter(pieces__gt=0).exists()
    target.delete()
    assert nothing_was_saved()
    assert (IndexState.objects.get().pieces, IndexState.objects.get().total_length) == (0, 0)
    assert not Term.objects.filter(pieces__gt=0).exists()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM knowledge_words")
        assert cursor.fetchone() == (0,)


def test_a_rebuild_reads_what_was_kept_and_fetches_nothing(target: Target, docs: HTTPServer) -> None:
    docs.expect_oneshot_request("/a.md").respond_with_data("# A\n\nText.")
    add(of(target, "url", docs.url_for("/a.md")))
    keys = list(Chunk.objects.values_list("key", flat=True))
    assert rebuild().refused == ()
    assert list(Chunk.objects.filter(path="a.md").values_list("key", flat=True)) == keys
    assert len(docs.log) == 1


def test_the_targets_own_sentence_about_a_promise_is_found_or_none_at_all(target: Target) -> None:
    add(of(target, "upload", "harbour.md"), HARBOUR.read_bytes())
    said = promise_sources(target.pk, ["order_matters", "frame_debris"])
    assert set(said) == {"order_matters"}
    assert said["order_matters"].text == (
        "Swapping the order of the questions does not affect what you get for any of them."
    )
    assert said["order_matters"].anchor == "what-you-can-count-on"
    assert said["order_matters"].url.endswith("/harbour.md#doc-what-you-can-count-on")


def test_of_several_documents_the_sentence_that_fits_best_is_shown(target: Target) -> None:
    add(of(target, "upload", "a.md", "a"), b"# A\n\nWhen an error happens, you get a reply.")
    add(of(target, "upload", "reference.md", "b"), REFERENCE.read_bytes())
    assert promise_sources(target.pk, ["crash"])["crash"].document == "reference.md"
    remove(Documentation.objects.get(name="b"))
    assert promise_sources(target.pk, ["crash"])["crash"].document == "a.md"


def test_a_document_that_makes_no_promise_has_none(target: Target) -> None:
    documentation = of(target, "upload", "a.md")
    add(documentation, b"# Install\n\nRun the installer first. Never commit secrets. The order of imports is free.")
    assert not Promise.objects.exists()
