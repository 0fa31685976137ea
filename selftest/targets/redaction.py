"""Hiding a target's secrets in whatever it sends back, however they are spelled there. Knows no target and no rows.

What is looked for: the secret itself in either case; each of its characters escaped as in a URL, in JSON, in a string
literal or in HTML; its Base64, also where it begins or ends inside a longer one; its hexadecimal digits. Where text was
cut in the middle of a secret, its first MIN_LENGTH characters and more are hidden as well. A hash of a secret, or one
that was encrypted, compressed or turned around, is not recognised.
"""

import base64
import hashlib
import re
from binascii import Error as NotBase64
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from urllib.parse import quote, unquote

from selftest.core.judging.answers import Answer
from selftest.targets.base import AUTO, Reachability, TargetAway, TargetClient

HIDDEN = "••••"
# Shorter ones are parts of ordinary words, and to hide "key" or "12" everywhere would change what the checks judge.
MIN_LENGTH = 6
MAX_CUTS = 20  # from the end of a text on; a text of ours has a few, and a target may send millions of them
CUTS = ("…", "...")  # as excerpts end; others end where their text does

PARTING = re.compile(r"""[\s;,"'{}()<>]+""")  # of a header that holds several values

_NAMED_ENTITIES = {"&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos"}
_BASE64 = r"[A-Za-z0-9+/_-]"
_LINE_BREAKS = r"(?:[\r\n]|\\{1,8}[rn]){0,4}"  # MIME breaks Base64 into lines
# What stands between the name of a header and its value where both are written down.
_BETWEEN = r"""["'\s:=,()\[\]{}<>\\b]{1,12}"""


@dataclass(frozen=True)
class Secret:
    """A value that is sent to the target in a header and must not be kept when it comes back. name: of the header."""

    name: str
    value: str = field(repr=False)


class Redactor:
    """Replaces every spelling of the given secrets by HIDDEN. Safe to share between threads.

    A secret of fewer than MIN_LENGTH characters is replaced only where it follows the name of its header, as in an
    echo of the request.
    """

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._secrets = tuple(dict.fromkeys(secret for secret in secrets if secret.value))

    def __bool__(self) -> bool:
        return bool(self._secrets)

    def text(self, text: str) -> str:
        """`text` without the secrets; the same object where it has none."""
        if not text:
            return text
        for spelling in self._spellings:
            text = spelling.hidden_in(text)
        for named in self._short:
            text = named.sub(rf"\g<before>{HIDDEN}", text)
        return text

    @cached_property
    def _spellings(self) -> tuple["_Spellings", ...]:
        values = {value for secret in self._secrets for value in _values(secret.value)}
        return tuple(_spellings(value) for value in sorted(values, key=lambda value: (-len(value), value)))

    @cached_property
    def _short(self) -> tuple[re.Pattern[str], ...]:
        return tuple(_after_its_name(secret) for secret in self._secrets if len(secret.value) < MIN_LENGTH)


class RedactingClient(TargetClient):
    """A client whose answers, reasons and messages hold no secret: nothing else of a target is judged or stored.

    The sha256 of an answer is that of its text without the secrets: one of all that came would tell whether a guess of
    a short secret is right.
    """

    def __init__(self, client: TargetClient, redactor: Redactor) -> None:
        self._client = client
        self._hide = redactor.text

    def ask(self, query: str, source: str = AUTO) -> Answer:
        """As the client, without the secrets."""
        try:
            answer = self._client.ask(query, source)
        except TargetAway as away:
            raise TargetAway(self._hide(str(away))) from None
        except Exception as failure:
            # A failure of ours is logged with its traceback, so the original does not leave this place.
            if self._hide(str(failure)) == str(failure):
                raise
            raise RuntimeError(f"{type(failure).__name__}: {self._hide(str(failure))}") from None
        result = self._hide(answer.result)
        return replace(
            answer,
            result=result,
            source_used=self._hide(answer.source_used),
            error=None if answer.error is None else self._hide(answer.error),
            sha256=hashlib.sha256(result.encode(errors="surrogatepass")).hexdigest(),
            unreadable=None if answer.unreadable is None else tuple(map(self._hide, answer.unreadable)),
        )

    def reach(self) -> Reachability:
        """As the client, without the secrets."""
        reached = self._client.reach()
        return replace(reached, detail=self._hide(reached.detail), version=self._hide(reached.version))

    def close(self) -> None:
        """Closes the client."""
        self._client.close()


def _values(value: str) -> Iterable[str]:
    """The secret, and the parts of it that are secret by themselves."""
    found = [value]
    first, *others = PARTING.split(value)
    # Of several words the first is a scheme as a rule: "Bearer", "Digest". What is assigned to a name is secret alone.
    for piece in others if first.isalpha() and any(others) else (first, *others):
        assigned = (piece.partition(sign)[2] for sign in "=:")
        login = _login_in(piece)
        found += [next((value for value in assigned if value.strip("=")), piece), login, login.partition(":")[2]]
    found += [unquote(part) for part in found]
    return (part for part in dict.fromkeys(found) if len(part) >= MIN_LENGTH)


def _login_in(piece: str) -> str:
    """ "name:password" where it is the Base64 of one, as Basic and others have it; "" where it is not."""
    try:
        login = base64.b64decode(piece, validate=True).decode()
    except (NotBase64, ValueError):
        return ""
    return login if ":" in login and login.isprintable() else ""


def _after_its_name(secret: Secret) -> re.Pattern[str]:
    name = "[-_]".join(map(re.escape, secret.name.split("-")))  # WSGI and CGI have underscores
    value = rf"(?<![A-Za-z0-9]){re.escape(secret.value)}(?![A-Za-z0-9])"
    return re.compile(rf"(?P<before>{name}{_BETWEEN}?){value}", re.I)


@dataclass(frozen=True)
class _Spellings:
    """Of one value. literal: those that a cut may have left the beginning of, as they stand most often."""

    characters: re.Pattern[str]
    digits: re.Pattern[str]
    cores: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    literal: tuple[str, ...]

    def hidden_in(self, text: str) -> str:
        text = self.characters.sub(HIDDEN, text)
        text = self.digits.sub(HIDDEN, text)
        for core, with_edges in self.cores:
            if core.search(text):  # many times as fast as the pattern with its open beginning
                text = with_edges.sub(HIDDEN, text)
        return self._hidden_where_cut(text)

    def _hidden_where_cut(self, text: str) -> str:
        end = len(text)
        for _ in range(MAX_CUTS):
            if end <= 0:
                break
            for spelling in self.literal:
                start = text.rfind(spelling[:MIN_LENGTH], max(0, end - len(spelling)), end)
                if start >= 0 and spelling.startswith(text[start:end]):
                    text = text[:start] + HIDDEN + text[end:]
                    break
            end = max(text.rfind(cut, 0, end) for cut in CUTS)
        return text


@lru_cache(maxsize=64)  # a target is opened for every cycle and every test of its connection
def _spellings(value: str) -> _Spellings:
    raw = value.encode()
    cores = tuple(dict.fromkeys(_base64_cores(raw)))
    return _Spellings(
        re.compile(_characters(value)),
        re.compile(r"[\s:]?".join("".join(map(_either_case, f"{byte:02x}")) for byte in raw)),
        tuple(_core_patterns(*core) for core in cores),
        tuple(dict.fromkeys([value, quote(value, safe=""), quote(value), raw.hex(), *(core for core, _, _ in cores)])),
    )


def _base64_cores(raw: bytes) -> Iterable[tuple[str, bool, bool]]:
    """For each place in a group of three bytes, the characters that `raw` alone decides.

    With it, whether the character before and the one after hold some bits of `raw` too.
    """
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + raw + b"\0\0").decode()
        first, last = -(-8 * before // 6), 8 * (before + len(raw)) // 6
        yield encoded[first:last], before > 0, 8 * (before + len(raw)) % 6 > 0


def _core_patterns(core: str, opens: bool, closes: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    pattern = _LINE_BREAKS.join(map(_base64_character, core))
    edges = (f"{_BASE64}?{_LINE_BREAKS}" if opens else "", f"{_LINE_BREAKS}{_BASE64}?" if closes else "")
    return re.compile(pattern), re.compile(f"{edges[0]}{pattern}{edges[1]}={{0,2}}")


def _base64_character(character: str) -> str:
    if character.isalnum():
        return character
    urlsafe = {"+": "-", "/": "_"}[character]
    return f"(?:{urlsafe}|{_character(character)})"


def _characters(value: str) -> str:
    """A pattern for `value` with any of its characters escaped.

    Each repetition has a limit, and a run of backslashes is one piece: a target that sends nothing but backslashes must
    not keep a worker busy for hours.
    """
    pieces = re.findall(r"\\+|[^\\]", value)
    return "".join(_backslashes(piece) if piece[0] == "\\" else _character(piece) for piece in pieces)


def _backslashes(run: str) -> str:
    escaped = "|".join(_escaped_forms("\\"))
    return rf"(?:\\{{{len(run)},{4 * len(run)}}}|(?:{escaped}){{{len(run)}}})"


def _character(character: str) -> str:
    """A pattern for one character and its escaped forms, each of which may have been escaped some times more."""
    forms = [_either_case(character)]
    if not character.isalnum():
        forms.append(rf"\\{{1,8}}{re.escape(character)}")
    if character == " ":
        forms.append(r"\+")
    if name := _NAMED_ENTITIES.get(character):
        forms.append(f"&(?:amp;){{0,2}}{name};")
    return f"(?:{'|'.join([*forms, *_escaped_forms(character)])})"


def _escaped_forms(character: str) -> list[str]:
    """In URLs, JSON or another language's literals, and HTML; by the number of the character."""
    code = ord(character)
    if code > 255:
        return []
    digits = "".join(map(_either_case, f"{code:02x}"))
    return [
        f"%(?:25){{0,2}}{digits}",
        rf"\\{{1,8}}(?:u00|x){digits}",
        f"&(?:amp;){{0,2}}#(?:0{{0,5}}{code}|[xX]0{{0,5}}{digits});",
    ]


def _either_case(character: str) -> str:
    if character.lower() != character.upper() and len(character.lower()) == len(character.upper()) == 1:
        return f"[{character.lower()}{character.upper()}]"
    return re.escape(character)
