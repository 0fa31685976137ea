"""The order of the rooms stays shallow: no one has to read through a tower of modules to understand one."""

from functools import cache

import grimp

LONGEST = 12  # modules in the longest chain of imports


def test_no_chain_of_imports_is_longer() -> None:
    graph = grimp.build_graph("selftest", "review")

    @cache
    def chain_from(module: str) -> tuple[str, ...]:
        below = [name for name in graph.find_modules_directly_imported_by(module) if ".migrations" not in name]
        return (module, *max(map(chain_from, below), key=len, default=()))

    longest = max(map(chain_from, graph.modules), key=len)
    assert len(longest) <= LONGEST, " → ".join(longest)
