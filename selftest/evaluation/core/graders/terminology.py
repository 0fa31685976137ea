"""Whether the answer uses the target's own terms, not their rivals. A look-up: the same text gives the same score."""

import re
import unicodedata
from collections.abc import Sequence

from selftest.evaluation.core.graders.sentences import plain
from selftest.evaluation.core.samples import NO_DICTIONARY, Sample, Score, Term

CODE_AND_ADDRESSES = re.compile(
    r"(?P<fence>```|~~~).*?(?:(?P=fence)|\Z)"  # a fence that is never closed goes to the end
    r"|(?P<tick>`{1,2})(?!`)[^\n]+?(?<!`)(?P=tick)(?!`)"
    # An indented block of Markdown: after a line without words, to the next line that is not indented.
    r"|(?:(?<=\n\n)|\A)(?: {4}|\t)[^\n]*(?:\n(?:(?: {4}|\t)[^\n]*|(?=\n)))*"
    r"|<(?P<tag>code|pre|kbd|samp)\b[^<>]*>.*?(?:</(?P=tag)>|\Z)"
    r"|(?<=\]\()[^()\s]+"  # where a link leads
    # A path: from a root, a home or a drive; or several names up to one with an ending.
    r"|(?<![\w.@~+/\\-])(?:~|\.{1,2})?/[\w.@~+-]+(?:/[\w.@~+-]*)*|(?<!\w)[a-z]:\\[\w.@~+\\-]+"
    r"|(?<![\w.@~+/\\-])[\w@+-][\w.@+-]*(?:[/\\][\w.@+-]+)*[/\\][\w@+-][\w@+.-]*\.[a-z]\w{0,7}(?![\w-])"
    # Each begins where its kind of word does and nowhere within: a long one is read once.
    r"|(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*://\S+|\bwww\.\S+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|(?<![\w.-])(?:[a-z0-9-]+\.)+[a-z]{2,}/\S*|(?<![\w.-])(?:[a-z0-9-]+\.){2,}[a-z]{2,}(?![\w-])",
    re.S | re.I,
)


class Terminology:
    """The share of a term's uses, among those of the term and its rivals."""

    name = "terminology"
    low, high = 0.0, 1.0
    says = "Of all uses of a term of the target or of one of its rivals, the share that are the term."
    cannot_see = (
        "Words that are not in the dictionary, other forms of those that are, and whether a rival was meant in "
        "another sense. Code, addresses and paths of files are left out."
    )

    def __init__(self, terms: Sequence[Term] = ()) -> None:
        """terms: the dictionary. Where a word is a term and a rival as well, it counts as the term."""
        self._instead = {_folded(rival): term.name for term in terms for rival in term.rivals if _folded(rival)}
        self._instead.update({_folded(term.name): "" for term in terms if _folded(term.name)})
        longest_first = sorted(self._instead, key=lambda word: (-len(word), word))
        words = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first)
        # A hyphen makes another word: "e-catalogue" is no "catalogue".
        self._pattern = re.compile(rf"(?<![\w-])(?:{words})(?!\w|-\w)") if words else None

    def grade(self, sample: Sample) -> Score:
        """uses of terms / uses of terms and rivals; None where the answer has neither."""
        if self._pattern is None:
            return Score(None, NO_DICTIONARY, "the target has no dictionary of terms")
        lines = "\n".join(line if line.strip() else "" for line in _normal(sample.answer).splitlines())
        text = CODE_AND_ADDRESSES.sub("\n", lines).casefold()
        used = [_folded(match) for match in self._pattern.findall(text)]
        if not used:
            return Score(None, "no terms", "the answer uses no term of the dictionary and no rival")
        rivals = [word for word in used if self._instead[word]]
        return Score(
            (len(used) - len(rivals)) / len(used),
            "graded",
            f"{len(rivals)} of {len(used)} uses are of a rival",
            tuple(f"{word}: the target says {self._instead[word]}" for word in sorted(set(rivals))),
        )


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", plain(text))


def _folded(text: str) -> str:
    return " ".join(_normal(text).casefold().split())
