"""Every change of the golden set. A change is a new version of a pair: nothing that a pair ever said is lost."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from selftest.core.generation.vocabulary import Vocabulary
from selftest.evaluation.core.baseline import bearing
from selftest.evaluation.core.pairs import NAME_CHARACTERS, Baseline, PairContent, PairError, PairLine, is_seen, line_of
from selftest.evaluation.models import GoldenPair, GoldenSet, PairVersion
from selftest.evaluation.reading import DEFAULT_SET, content_of_version, newest_structure, set_named
from selftest.models import Actor, Cause, Combination, Target, VocabularyVersion
from selftest.reading.target_versions import version_of
from selftest.reading.targets import vocabulary_numbered
from selftest.refusals import OutdatedError, RefusedError
from selftest.storage.serialization import vocabulary_of
from selftest.storage.texts import storable

BUNDLED_FILE = Path(__file__).parent / "pairs" / "bundled.jsonl"
WHY_CHARACTERS = 500
MOST_LINES = 10_000  # of a file
Act = PairVersion.Act


@dataclass(frozen=True)
class Ground:
    """What a pair is made on. structure: the sections of the answer that it was made of, None where it was not seen."""

    target: Target
    vocabulary: VocabularyVersion
    target_version: str
    structure: tuple[str, ...] | None = None
    combination: Combination | None = None
    cause: Cause | None = None

    def baseline(self, content: PairContent) -> Baseline:
        """As it is kept with the pair."""
        return Baseline(
            target=self.target.name,
            target_version=self.target_version,
            vocabulary=self.vocabulary.sha256,
            bears=bearing(content, vocabulary_of(self.vocabulary)),
            structure=self.structure,
        )


def ground_of(target: Target) -> Ground:
    """The target as it is now. Raises RefusedError where it has no vocabulary."""
    version = vocabulary_numbered(target)
    if version is None:
        raise RefusedError(f"{target} has no vocabulary; import one with `manage.py vocabulary import FILE`")
    return Ground(target, version, version_of(target))


@dataclass(frozen=True)
class _Entry:
    """A version that is to be written."""

    act: PairVersion.Act
    content: PairContent
    made_on: Baseline
    target: Target | None
    combination: Combination | None = None
    cause: Cause | None = None
    is_archived: bool = False


def default_set() -> GoldenSet:
    """The set that pairs go to where none is named."""
    return GoldenSet.objects.get_or_create(name=DEFAULT_SET)[0]


def set_to_ask(name: str, target: Target, actor: Actor) -> GoldenSet:
    """The set of this name. The default one of a bundled router comes with the product, and is made where it lacks.

    Raises UnknownError.
    """
    is_bundled = name == DEFAULT_SET and target.kind == Target.Kind.REFERENCE
    if is_bundled and not GoldenSet.objects.filter(name=name).exists():
        text = BUNDLED_FILE.read_text(encoding="utf-8")
        import_pairs(name, target, text, actor, "the pairs that come with the product")
    return set_named(name)


def promote(
    golden_set: GoldenSet, name: str, content: PairContent, ground: Ground, actor: Actor, why: str
) -> GoldenPair:
    """Makes a pair. Raises RefusedError for a name that is taken, and for a source that the target does not have."""
    check_expectations(content, vocabulary_of(ground.vocabulary), ground.target)
    name = name.strip()
    if not name or len(name) > NAME_CHARACTERS:
        raise RefusedError(f"name: a pair needs one of at most {NAME_CHARACTERS} characters; this has {len(name)}")
    if not is_seen(name):
        raise RefusedError("name: it has no character that can be seen")
    entry = _Entry(Act.PROMOTED, content, ground.baseline(content), ground.target, ground.combination, ground.cause)
    try:
        with transaction.atomic():
            pair = GoldenPair.objects.create(golden_set=golden_set, name=name)
            _append(pair, entry, actor, why)
    except IntegrityError as taken:
        raise RefusedError(f"name: {golden_set} has a pair {name!r} already") from taken
    return pair


def edit(pair: GoldenPair, content: PairContent, actor: Actor, why: str, seen: int) -> PairVersion:
    """What it says from now on, made on its target as it is now. seen: the number of the version that was changed."""
    current = _seen(pair, seen)
    ground = ground_of(_target_of(current))
    check_expectations(content, vocabulary_of(ground.vocabulary), ground.target)
    ground = replace(ground, structure=newest_structure(pair))
    return _append(pair, _Entry(Act.EDITED, content, ground.baseline(content), ground.target), actor, why)


def rebaseline(pair: GoldenPair, actor: Actor, why: str, seen: int) -> PairVersion:
    """It expects the same of its target as that is now. Raises RefusedError where that cannot be."""
    current = _seen(pair, seen)
    content = content_of_version(current)
    ground = replace(ground_of(_target_of(current)), structure=newest_structure(pair))
    check_expectations(content, vocabulary_of(ground.vocabulary), ground.target)
    return _append(pair, _Entry(Act.REBASELINED, content, ground.baseline(content), ground.target), actor, why)


def archive(pair: GoldenPair, actor: Actor, why: str, seen: int) -> PairVersion:
    """It is not asked any more."""
    return _keep(pair, Act.ARCHIVED, actor, why, seen)


def restore(pair: GoldenPair, actor: Actor, why: str, seen: int) -> PairVersion:
    """It is asked again, on the ground that it was made on."""
    return _keep(pair, Act.RESTORED, actor, why, seen)


def _keep(pair: GoldenPair, act: PairVersion.Act, actor: Actor, why: str, seen: int) -> PairVersion:
    current = _seen(pair, seen)
    is_archived = act is Act.ARCHIVED
    if current.is_archived == is_archived:
        raise RefusedError(f"{pair} is {'archived' if is_archived else 'in use'} already")
    made_on = Baseline.model_validate(current.made_on)
    entry = _Entry(act, content_of_version(current), made_on, current.target, is_archived=is_archived)
    return _append(pair, entry, actor, why)


def _seen(pair: GoldenPair, seen: int) -> PairVersion:
    pair.refresh_from_db(fields=["current"])
    current = pair.current
    if current is None or current.number != seen:
        raise OutdatedError(f"{pair} has another version by now; look at that one first")
    return current


def _target_of(version: PairVersion) -> Target:
    if version.target is None:
        raise RefusedError("the target that the pair was made on is gone; archive it, and promote it on another one")
    return version.target


def _append(pair: GoldenPair, entry: _Entry, actor: Actor, why: str) -> PairVersion:
    before = pair.current
    try:
        with transaction.atomic():
            version = PairVersion.objects.create(
                pair=pair,
                number=before.number + 1 if before else 1,
                act=entry.act,
                is_archived=entry.is_archived,
                target=entry.target,
                made_on=entry.made_on.model_dump(mode="json"),
                combination=entry.combination or (before.combination if before else None),
                cause=entry.cause or (before.cause if before else None),
                why=storable(why.strip())[:WHY_CHARACTERS],
                user=actor.user,
                actor=actor.name,
                at=timezone.now(),
                **_columns(entry.content),
            )
            if not GoldenPair.objects.filter(pk=pair.pk, current=before).update(current=version):
                raise OutdatedError(f"{pair} has another version by now; look at that one first")
    except IntegrityError as taken:  # another version has this number by now
        raise OutdatedError(f"{pair} has another version by now; look at that one first") from taken
    pair.current = version
    return version


def _columns(content: PairContent) -> dict[str, Any]:
    document = content.document()
    return {name: document[name] for name in ("query", "kind", "expectations", "keyphrases", "reference")}


def check_expectations(content: PairContent, vocabulary: Vocabulary, target: Target) -> None:
    """Raises RefusedError for what could never hold, as for a source that the target does not have."""
    if contradiction := content.expectations.contradiction:
        raise RefusedError(f"expectations: {contradiction}")
    known = {*vocabulary.headers, *vocabulary.sources}
    unknown = [source for source in content.expectations.named_sources if source not in known]
    if unknown:
        listed = ", ".join(sorted(known))
        raise RefusedError(f"expectations: {unknown[0]!r} is no source of {target}; known are: {listed}")


# --- import ---


@dataclass(frozen=True)
class Imported:
    """How many pairs of a file were new, changed and the same."""

    new: int = 0
    changed: int = 0
    same: int = 0


class ImportRefusedError(RefusedError):
    """Nothing of the file was imported. faults: a sentence for each line that is not valid."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(self.faults))


def import_pairs(set_name: str, target: Target, text: str, actor: Actor, why: str) -> Imported:
    """All lines of a JSONL file, or none. A line without `made_on` is made on `target` as it is now.

    A pair of the same name gets a new version where the line says something else, or the pair is archived.
    """
    ground = ground_of(target)
    lines = _lines(text, vocabulary_of(ground.vocabulary), target)
    counts = {"new": 0, "changed": 0, "same": 0}
    with transaction.atomic():
        golden_set = GoldenSet.objects.get_or_create(name=set_name)[0]
        known: Mapping[str, GoldenPair] = {
            pair.name: pair for pair in golden_set.pairs.select_related("current", "current__target")
        }
        for line in lines:
            counts[_import(golden_set, known.get(line.name), line, ground, actor, why)] += 1
    return Imported(**counts)


def _import(
    golden_set: GoldenSet, pair: GoldenPair | None, line: PairLine, ground: Ground, actor: Actor, why: str
) -> str:
    content, current = line.content, pair.current if pair else None
    made_on = line.made_on or ground.baseline(content)
    if pair and current and not current.is_archived and content_of_version(current) == content:
        is_same = line.made_on is None or current.made_on == made_on.model_dump(mode="json")
        if is_same:
            return "same"
    kept = pair or GoldenPair.objects.create(golden_set=golden_set, name=line.name)
    _append(kept, _Entry(Act.IMPORTED, content, made_on, ground.target), actor, why)
    return "changed" if pair else "new"


def _lines(text: str, vocabulary: Vocabulary, target: Target) -> list[PairLine]:
    faults: list[str] = []
    lines: dict[str, tuple[int, PairLine]] = {}
    # A line feed alone ends a line: JSON may hold other signs that str.splitlines() takes for the end of one.
    for number, one in enumerate(text.split("\n"), 1):
        if not one.strip():
            continue
        if len(lines) >= MOST_LINES:
            faults.append(f"line {number}: more than {MOST_LINES:,} pairs")
            break
        try:
            line = line_of(one)
            check_expectations(line.content, vocabulary, target)
        except PairError as invalid:
            faults += [f"line {number}: {fault}" for fault in invalid.faults]
            continue
        except RefusedError as refused:
            faults.append(f"line {number}: {refused}")
            continue
        if line.name in lines:
            faults.append(f"line {number}: name: {line.name!r} stands in line {lines[line.name][0]} already")
        else:
            lines[line.name] = (number, line)
    if not lines and not faults:
        faults.append("line 1: there is no pair in the file")
    if faults:
        raise ImportRefusedError(faults)
    return [line for _, line in lines.values()]
