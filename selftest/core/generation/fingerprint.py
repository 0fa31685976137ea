"""The identity of a combination: which ingredients its query uses, whatever their order or wording. Never its text."""

import json

from selftest.core.generation.queries import Query


def fingerprint_of(query: Query) -> str:
    """The ingredients, sorted, each as often as it was used, as a JSON array (specification: *Fingerprint*)."""
    return json.dumps(query.ingredients, ensure_ascii=False)
