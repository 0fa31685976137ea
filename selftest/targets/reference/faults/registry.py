"""What a fault is, the register of them, and how some are planted. Knows none of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from selftest.core.generation.vocabulary import Vocabulary
from selftest.targets.reference.chance import fraction
from selftest.targets.reference.decomposition import keywords
from selftest.targets.reference.phrases import straightened
from selftest.targets.reference.steps import Steps

AFFLICTED_SHARE = 0.25  # of questions: often enough to be met within a cycle or two, too rare to look like a rule


@dataclass(frozen=True)
class Setting:
    """What a fault may look at when it is planted. sleep: seconds."""

    vocabulary: Vocabulary
    sleep: Callable[[float], None]


Plant = Callable[[Steps, Setting], Steps]


@dataclass(frozen=True)
class Fault:
    """seen: what a caller sees, in one sentence."""

    name: str
    seen: str
    plant: Plant


_faults: dict[str, Fault] = {}
FAULTS: Mapping[str, Fault] = MappingProxyType(_faults)


def fault(seen: str) -> Callable[[Plant], Plant]:
    def register(plant: Plant) -> Plant:
        _faults[plant.__name__] = Fault(plant.__name__, seen, plant)
        return plant

    return register


def marked_phrase(fault_name: str, vocabulary: Vocabulary) -> str:
    """The one keyword that a fault strikes at: the same in every process, another for another fault."""
    return min(keywords(vocabulary), key=lambda phrase: fraction(fault_name, phrase))


def is_afflicted(fault_name: str, text: str) -> bool:
    """Whether a fault that strikes at a share of all questions strikes at this one; the same at every asking."""
    return fraction(fault_name, straightened(text).casefold()) < AFFLICTED_SHARE


def planted(steps: Steps, names: Sequence[str], setting: Setting) -> Steps:
    """`steps` with the named faults in, in the order of FAULTS. Raises ValueError for an unknown name."""
    unknown = sorted(set(names) - set(FAULTS))
    if unknown:
        raise ValueError(f"unknown fault {', '.join(map(repr, unknown))}; known: {', '.join(FAULTS)}")
    for known in FAULTS.values():
        if known.name in names:
            steps = known.plant(steps, setting)
    return steps
