"""What is said of each check of the installation, in three languages, so that a symptom finds its check. Pure.

Words come from packaged files, a language each; what can be run comes with the English ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from selftest.knowledge.core.chunks import Chunk, Kind, chunk_id

LANGUAGES = ("en", "de", "fr")
HEALTH_PAGE = "/status"
CONTROLS = frozenset({"safe", "confirm", "destructive", "manual"})
# What an admin may set by hand in the controls file.
CONTROL_FIELDS = ("control", "requiresConfirmation", "isDestructive", "inspectCommand", "verificationCommand")


@dataclass(frozen=True, slots=True)
class KnownCheck:
    """A check that really exists. remedy_command: that mends what it finds, "" where none does."""

    code: str
    title: str
    severity: str
    symptoms: tuple[str, ...]
    remedy: str
    remedy_command: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Checks with all that is said of them, by code and language.

    without_seed: codes that have only their definition. without_check: codes of seeds that no check has; left out.
    """

    checks: Mapping[str, Mapping[str, Mapping[str, Any]]]
    without_seed: tuple[str, ...]
    without_check: tuple[str, ...]


def prepare(
    checks: Iterable[KnownCheck],
    seeds: Mapping[str, Mapping[str, Mapping[str, Any]]],
    controls: Mapping[str, Mapping[str, Any]] | None = None,
) -> Prepared:
    """seeds: by language and code. controls: by code, what an admin set in place of the seeds'."""
    known = {check.code: check for check in checks}
    english = seeds.get("en", {})
    prepared = {}
    for code in sorted(known):
        own = {field: value for field, value in (controls or {}).get(code, {}).items() if field in CONTROL_FIELDS}
        prepared[code] = _in_languages(
            known[code], {name: one[code] for name, one in seeds.items() if code in one}, own
        )
    seeded = {code for one in seeds.values() for code in one}
    return Prepared(prepared, tuple(sorted(set(known) - set(english))), tuple(sorted(seeded - set(known))))


def chunks_of(prepared: Prepared) -> list[Chunk]:
    """A piece for each check in each language."""
    return [
        _chunk(code, language, said)
        for code, languages in sorted(prepared.checks.items())
        for language, said in sorted(languages.items())
    ]


def controls_of(prepared: Prepared) -> dict[str, dict[str, Any]]:
    """What an admin may change by hand, by code."""
    return {
        code: {"title": said["en"]["title"], **{field: said["en"][field] for field in CONTROL_FIELDS}}
        for code, said in prepared.checks.items()
    }


def _in_languages(
    check: KnownCheck, seeds: Mapping[str, Mapping[str, Any]], controls: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    run = f"manage.py doctor --only {check.code}"
    of_check: dict[str, Any] = {
        "title": check.title,
        "description": "",
        "symptoms": list(check.symptoms),
        "remedy": check.remedy,
        "remedyCommand": check.remedy_command,
        "control": "manual",
        "requiresConfirmation": bool(check.remedy_command),  # without a seed no one has looked at what it does
        "isDestructive": False,
        "inspectCommand": f"{run} --json",
        "verificationCommand": run,
        "tags": [],
        "references": [],
    }
    english: dict[str, Any] = of_check | dict(seeds.get("en", {}))
    fixed = {"checkCode": check.code, "severity": check.severity, "runCommand": run}
    return {
        language: english | dict(seeds.get(language, {})) | dict(controls) | fixed
        for language in ("en", *(name for name in sorted(seeds) if name != "en"))
    }


def _chunk(code: str, language: str, said: Mapping[str, Any]) -> Chunk:
    symptoms: Sequence[str] = said["symptoms"]
    lines = (said["description"], *symptoms, said["remedy"])
    return Chunk(
        id=chunk_id("doctor", code, language),
        kind=Kind.DOCTOR,
        title=f"{code} {said['title']}",
        body="\n".join(line if line.endswith((".", "!", "?")) else f"{line}." for line in lines if line),
        language=language,
        path=f"doctor/{code}",
        anchor=language,
        section_path=(said["title"],),
        tags=("doctor", said["severity"], *said["tags"]),
        identifiers=(code,),
        product="gadfly",
        service="doctor",
        url=f"{HEALTH_PAGE}#{code}",
        details={name: value for name, value in said.items() if name not in ("tags",)},
    )
