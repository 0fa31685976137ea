"""Notes on a combination."""

from selftest.models import Actor, Combination, ReviewEvent
from selftest.refusals import RefusedError
from selftest.reviewing.events import NOTE_CHARACTERS, record_event
from selftest.storage.texts import storable


def add_note(combination: Combination, actor: Actor, text: str) -> None:
    """Adds a note to the combination's activity. Raises RefusedError for an empty one or one that is too long."""
    text = storable(text).strip()
    if not text:
        raise RefusedError("the note is empty; write something first")
    if len(text) > NOTE_CHARACTERS:
        raise RefusedError(f"the note has {len(text)} characters; the limit is {NOTE_CHARACTERS}")
    record_event(combination, ReviewEvent.Kind.NOTED, actor, text)
