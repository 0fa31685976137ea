"""Every fault of the zoo in one table. A fault is named after its function; its docstring says what is broken."""

import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from selftest.targets.reference.zoo.faults import merging
from selftest.targets.reference.zoo.router import Plant


@dataclass(frozen=True)
class ZooFault:
    """A mistake in one stage. seen: what is broken, in one sentence."""

    name: str
    seen: str
    plant: Plant


_PLANTS: tuple[Plant, ...] = (
    merging.last_section_lost,
    merging.section_repeated,
    merging.headers_swapped,
    merging.empty_section_left,
    merging.last_item_lost,
)

FAULTS: Mapping[str, ZooFault] = MappingProxyType(
    {plant.__name__: ZooFault(plant.__name__, inspect.getdoc(plant) or "", plant) for plant in _PLANTS}
)


def faults_named(names: Collection[str]) -> list[ZooFault]:
    """In the order of FAULTS. Raises ValueError for an unknown name."""
    unknown = sorted(set(names) - set(FAULTS))
    if unknown:
        raise ValueError(f"unknown fault {', '.join(map(repr, unknown))}; known: {', '.join(FAULTS)}")
    return [fault for fault in FAULTS.values() if fault.name in names]
