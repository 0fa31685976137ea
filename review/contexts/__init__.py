"""What each template may use: one dataclass per page and partial, made from rows. Nothing here asks the database."""

from review.contexts.combination import PEOPLE_DO, CombinationPage, Ingredient, StoryLine
from review.contexts.cycles import CYCLE_SHAPES, CycleLine, CyclePage, CyclesPage
from review.contexts.findings import GUARANTEE_OF, PLACES, QUOTED_CHARACTERS, SEEN_CHARACTERS, TITLE_CHARACTERS, Finding
from review.contexts.queue import QueuePage, Row, RowAfter
from review.contexts.runs import AnswerView, RunLine, RunPage
from review.contexts.shapes import ASKING, AWAY, KEPT, STOPPED, WAITING
from review.contexts.standing import DUE_SOON, OPEN_STATES, WORKER_TAKES_AT_MOST, Outage, Standing, standing_of

__all__ = [
    "ASKING",
    "AWAY",
    "CYCLE_SHAPES",
    "DUE_SOON",
    "GUARANTEE_OF",
    "KEPT",
    "OPEN_STATES",
    "PEOPLE_DO",
    "PLACES",
    "QUOTED_CHARACTERS",
    "SEEN_CHARACTERS",
    "STOPPED",
    "TITLE_CHARACTERS",
    "WAITING",
    "WORKER_TAKES_AT_MOST",
    "AnswerView",
    "CombinationPage",
    "CycleLine",
    "CyclePage",
    "CyclesPage",
    "Finding",
    "Ingredient",
    "Outage",
    "QueuePage",
    "Row",
    "RowAfter",
    "RunLine",
    "RunPage",
    "Standing",
    "StoryLine",
    "standing_of",
]
