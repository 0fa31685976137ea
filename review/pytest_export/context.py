"""What an export is made from: a query, its target and what it broke. Of an API key only whether there is one."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from selftest.core.generation.queries import Query
from selftest.core.generation.vocabulary import Vocabulary
from selftest.models import Flag, Run, Target

SERVED_AT = "http://127.0.0.1:8090"  # where `manage.py reference_target` listens unless told otherwise
KEY_VARIABLE = "TARGET_API_KEY"


@dataclass(frozen=True)
class ExportContext:
    """A query and what it broke. run: its last flagged run, else its last one; None before it was asked.

    vocabulary: that the run was checked against. flags: of that run, in their order.
    """

    combination: int
    fingerprint: str
    query: Query
    target: Target
    run: Run | None
    flags: Sequence[Flag]
    vocabulary: Vocabulary | None

    @property
    def is_http(self) -> bool:
        """Whether it is reached over HTTP."""
        return self.target.kind == Target.Kind.HTTP

    @property
    def is_python(self) -> bool:
        """Whether it is a function in this process."""
        return self.target.kind == Target.Kind.PYTHON

    @property
    def has_key(self) -> bool:
        """Whether requests need an API key."""
        return self.is_http and bool(self.target.api_key)

    @property
    def url(self) -> str:
        """Of a bundled router: where it would be, served."""
        return self.target.base_url.rstrip("/") + self.target.path if self.is_http else f"{SERVED_AT}/search"

    def field(self, name: str) -> str:
        """What the target calls this field of its requests and answers; the bundled router has the contract's names."""
        found: str = getattr(self.target, f"{name}_field") if self.is_http else name
        return found

    @property
    def serving(self) -> str:
        """The command that serves the bundled router with the faults of this one; "" for every other target."""
        if self.is_http or self.is_python:
            return ""
        words = ["uv", "run", "manage.py", "reference_target"]
        if self.target.reference_empty_rate:
            words += ["--empty-rate", f"{self.target.reference_empty_rate:g}"]
        if self.target.reference_faults:
            words += ["--fault", *map(str, self.target.reference_faults)]
        return " ".join(shlex.join(words).split())
