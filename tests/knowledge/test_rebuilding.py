"""A rebuild: every source once more, as a difference in one transaction."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from selftest.knowledge.core.chunks import Kind
from selftest.knowledge.core.doctor_seeds import LANGUAGES
from selftest.knowledge.ingestion import documents
from selftest.knowledge.models import Chunk, Document
from selftest.knowledge.publishing import publish
from selftest.knowledge.rebuilding import rebuild
from selftest.knowledge.sources import doctor_seeds, known_checks, prepare_sources, source_files
from selftest.operating.doctor.checks import CHECKS


@pytest.mark.django_db
def test_a_rebuild_finds_readmes_guarantees_the_api_and_doctor_checks() -> None:
    summary = rebuild()
    assert summary.refused == ()
    assert summary.kinds["doctor"] == 3 * len(CHECKS)
    assert summary.kinds["guarantee"] == 23
    probes = list(Chunk.objects.filter(path="README.md", anchor="probes"))
    assert probes  # more than one where the section is long, and then one result
    assert len({piece.same_as for piece in probes}) == 1
    for piece in probes:
        assert piece.section_path == ["Gadfly", "What is checked", "Probes"]
        assert piece.url == "/knowledge/docs/README.md#doc-probes"
    judge = Chunk.objects.get(kind=Kind.API, anchor="judge_cause")
    assert "POST /api/v1/causes/{cause_id}/judge" in judge.identifiers
    assert judge.details["request"]["content"]["application/json"]["schema"]["properties"]["verdict"]
    assert {"POST /adversarial/trigger", "GET /health", "GET /metrics"} <= {
        name for row in Chunk.objects.filter(kind=Kind.API) for name in row.identifiers
    }


@pytest.mark.django_db
def test_a_second_rebuild_writes_nothing() -> None:
    rebuild()
    before = dict(Chunk.objects.values_list("key", "changed_at"))
    again = rebuild()
    assert (again.added, again.changed, again.removed) == (0, 0, 0)
    assert dict(Chunk.objects.values_list("key", "changed_at")) == before


@pytest.mark.django_db
def test_the_same_input_has_the_same_keys_whatever_the_order() -> None:
    read = documents().documents
    publish(read)
    keys = set(Chunk.objects.values_list("key", "sha256"))
    publish(())
    assert not Chunk.objects.exists()
    assert not Document.objects.exists()
    publish(tuple(reversed(read)))
    assert set(Chunk.objects.values_list("key", "sha256")) == keys


@pytest.mark.django_db
def test_a_renamed_document_leaves_no_ghost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "README.md"
    file.write_text("# Kettle\n\nIt boils.\n")
    monkeypatch.setattr("selftest.knowledge.ingestion.source_files", lambda: source_files(tmp_path))
    rebuild()
    assert list(Chunk.objects.filter(kind=Kind.DOCS).values_list("path", flat=True)) == ["README.md"]
    (tmp_path / "review").mkdir()
    file.rename(tmp_path / "review" / "README.md")
    rebuild()
    assert list(Chunk.objects.filter(kind=Kind.DOCS).values_list("path", flat=True)) == ["review/README.md"]
    assert not Document.objects.filter(path="README.md").exists()


@pytest.mark.django_db
def test_a_document_that_cannot_be_read_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "README.md"
    file.write_text("# Kettle\n\nIt boils.\n")
    monkeypatch.setattr("selftest.knowledge.ingestion.source_files", lambda: source_files(tmp_path))
    rebuild()
    file.write_bytes(b"# Kettle\n\n\xff")
    assert rebuild().refused == ("README.md is not UTF-8 text: byte 10 cannot be read; save it as UTF-8",)
    assert Chunk.objects.get(path="README.md").body == "It boils."


def test_the_manifest_counts_where_the_allow_list_leads_nowhere_and_the_scan_where_both_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("README.md", "docs/a.md", "docs/b.md"):
        (tmp_path / name).write_text("# A\n")
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setattr("selftest.knowledge.sources.knowledge_folder", lambda: data)
    listed = tmp_path / "list.json"

    def paths() -> list[str]:
        return [file.path for file in source_files(tmp_path, listed)]

    listed.write_text(json.dumps({"documents": ["README.md", "../x.md", "/etc/*"], "scan": ["docs/*.md"]}))
    assert paths() == ["README.md"]
    listed.write_text(json.dumps({"documents": ["no.md"], "scan": ["docs/*.md"]}))
    assert paths() == ["docs/a.md", "docs/b.md"]
    (data / "documents-manifest.json").write_text(json.dumps({"documents": [{"path": "docs/b.md", "kind": "docs"}]}))
    assert paths() == ["docs/b.md"]


def test_every_doctor_check_has_all_words_in_all_languages() -> None:
    for language in LANGUAGES:
        seeds = doctor_seeds()[language]
        assert sorted(seeds) == sorted(check.code for check in known_checks())
        for said in seeds.values():
            assert all(said[name] for name in ("title", "description", "symptoms", "remedy"))


def test_the_english_words_of_a_check_hold_those_of_its_definition() -> None:
    for check in CHECKS:
        said = doctor_seeds()["en"][check.code]
        assert (said["title"], said["remedy"]) == (check.title, check.remedy)
        assert set(check.symptoms) <= set(said["symptoms"])


def test_prepared_files_are_kept_once_they_are_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selftest.knowledge.sources.knowledge_folder", lambda: tmp_path)
    assert [file.outcome for file in prepare_sources().files] == ["written", "written"]
    assert [file.outcome for file in prepare_sources().files] == ["unchanged", "unchanged"]
    controls = tmp_path / "doctor-controls.json"
    edited = json.loads(controls.read_text())
    edited["checks"]["GF001"]["requiresConfirmation"] = True
    controls.write_text(json.dumps(edited))
    assert [file.outcome for file in prepare_sources().files] == ["kept", "unchanged"]
    assert json.loads(controls.read_text()) == edited
    assert prepare_sources(overwrite=True).files[0].outcome == "written"


@pytest.mark.django_db
def test_an_admins_controls_are_what_search_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selftest.knowledge.sources.knowledge_folder", lambda: tmp_path)
    controls = {"checks": {"GF001": {"requiresConfirmation": True, "runCommand": "rm -rf /"}}}
    (tmp_path / "doctor-controls.json").write_text(json.dumps(controls))
    rebuild()
    details = Chunk.objects.get(path="doctor/GF001", language="en").details
    assert details["requiresConfirmation"] is True
    assert details["runCommand"] == "manage.py doctor --only GF001"


@pytest.mark.django_db
def test_the_command_says_what_it_read(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("knowledge", "rebuild", "--json")
    said = json.loads(capsys.readouterr().out)
    assert said["kinds"]["doctor"] == 3 * len(CHECKS)
    assert said["added"] == sum(said["kinds"].values())
