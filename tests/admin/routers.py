"""Functions that stand behind `python` targets here."""

__version__ = "router-7"


def answers(query: str, source: str = "auto") -> tuple[str, str]:
    return f"<b>{query}</b> is heard", "forecast"


def crashes(query: str, source: str = "auto") -> tuple[str, str]:
    raise LookupError("no worker left in the pool")


def talks_long(query: str, source: str = "auto") -> tuple[str, str]:
    return "\n".join(f"line {number}" for number in range(1, 41)), "news"


not_a_function = "text"
