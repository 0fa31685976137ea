"""Many queries, kept small. Knows nothing of where they come from and how they are answered."""

import json
from array import array
from collections.abc import Iterable

from selftest.core.generation.queries import Part, PartKind, Query
from selftest.storage.serialization import part_document


class Queries:
    """Queries as the numbers of their parts, so that a million of them fit into some 50 MB. recipes: every name."""

    def __init__(self, recipes: Iterable[str]) -> None:
        self.recipes = list(recipes)
        self._recipe_numbers = {name: number for number, name in enumerate(self.recipes)}
        self._recipe_of = array("B")
        self._numbers: dict[tuple[str, str, str], int] = {}
        self._parts: list[Part] = []
        self._texts: list[str] = []
        self._documents: list[str] = []
        self._ingredients: list[tuple[str, str] | None] = []  # its name, and that as JSON; None for a mark
        self._flat = array("I")
        self._ends = array("I", [0])

    def __len__(self) -> int:
        return len(self._recipe_of)

    def add(self, query: Query) -> None:
        """Keeps one more."""
        self._recipe_of.append(self._recipe_numbers[query.recipe])
        for part in query.parts:
            key = (part.text, part.source, part.kind.value)  # hashes faster than the part itself
            number = self._numbers.get(key)
            self._flat.append(self._new_number(key, part) if number is None else number)
        self._ends.append(len(self._flat))

    def _new_number(self, key: tuple[str, str, str], part: Part) -> int:
        self._numbers[key] = len(self._parts)
        self._parts.append(part)
        self._texts.append(part.text)
        self._documents.append(json.dumps(part_document(part)))
        counts = part.kind is not PartKind.MARK
        self._ingredients.append((part.ingredient, json.dumps(part.ingredient, ensure_ascii=False)) if counts else None)
        return self._numbers[key]

    def numbers(self, index: int) -> "array[int]":
        """The numbers of its parts, in order."""
        return self._flat[self._ends[index] : self._ends[index + 1]]

    def recipe(self, index: int) -> str:
        """The name of its recipe."""
        return self.recipes[self._recipe_of[index]]

    def parts(self, index: int) -> tuple[Part, ...]:
        """Its parts, in order."""
        return tuple(map(self._parts.__getitem__, self.numbers(index)))

    def parts_from(self, number: int) -> list[Part]:
        """The parts with this number and later ones."""
        return self._parts[number:]

    def query(self, index: int) -> Query:
        """The query itself."""
        return Query(self.recipe(index), self.parts(index))

    def text(self, index: int) -> str:
        """Query.text."""
        return "".join(map(self._texts.__getitem__, self.numbers(index))).strip()

    def document(self, index: int) -> str:
        """The JSON of serialization.query_document."""
        parts = ", ".join(map(self._documents.__getitem__, self.numbers(index)))
        return f'{{"recipe": "{self.recipe(index)}", "parts": [{parts}]}}'

    def ingredients(self, index: int) -> set[str]:
        """Its ingredients, each once."""
        return {used[0] for used in map(self._ingredients.__getitem__, self.numbers(index)) if used}

    def fingerprint(self, index: int) -> str:
        """`fingerprint_of` its query, put together from what was written once."""
        used = sorted(filter(None, map(self._ingredients.__getitem__, self.numbers(index))))
        return f"[{', '.join([text for _, text in used])}]"
