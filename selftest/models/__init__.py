"""The rows: what was asked, what was answered, what it means and what people did about it.

Models refer to each other by name, so that no module here needs another one; verdicts alone are those of causes.
"""

from selftest.models.actor import ENGINE, Actor
from selftest.models.bulk import BulkAct, BulkItem
from selftest.models.cause import Cause, CauseEvent, CauseTally
from selftest.models.chunk import Chunk, QueuedRequest, RequestPace
from selftest.models.combination import Combination, Walk, holds_ingredient, ingredient_keys_of
from selftest.models.coverage import Coverage
from selftest.models.cycle import Cycle
from selftest.models.flag import Flag
from selftest.models.housekeeping import Housekeeping
from selftest.models.idempotent_call import IdempotentCall
from selftest.models.ingredient import ANY_CHECK, Ingredient, RecipeTally
from selftest.models.installation import Installation, QueueChange
from selftest.models.key import ApiKey
from selftest.models.notice import Channel, Delivery, Notice
from selftest.models.probe import Explanation, Probe, SourceStability
from selftest.models.reduction import Reduction
from selftest.models.review import ReviewEvent
from selftest.models.run import Run
from selftest.models.target import Target, VocabularyVersion
from selftest.models.tuning import Tuning

__all__ = [
    "ANY_CHECK",
    "ENGINE",
    "Actor",
    "ApiKey",
    "BulkAct",
    "BulkItem",
    "Cause",
    "CauseEvent",
    "CauseTally",
    "Channel",
    "Chunk",
    "Combination",
    "Coverage",
    "Cycle",
    "Delivery",
    "Explanation",
    "Flag",
    "Housekeeping",
    "IdempotentCall",
    "Ingredient",
    "Installation",
    "Notice",
    "Probe",
    "QueueChange",
    "QueuedRequest",
    "RecipeTally",
    "Reduction",
    "RequestPace",
    "ReviewEvent",
    "Run",
    "SourceStability",
    "Target",
    "Tuning",
    "VocabularyVersion",
    "Walk",
    "holds_ingredient",
    "ingredient_keys_of",
]
