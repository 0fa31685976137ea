"""A few pieces that search finds, one of each sort that the pages tell apart."""

from selftest.knowledge.core.chunks import Chunk, Kind
from selftest.knowledge.index import writing

RESTORE = Chunk(
    "docs:restore",
    Kind.DOCS,
    "Restore a backup",
    "Stop Gadfly, then read the backup with manage.py restore.",
    path="README.md",
    anchor="restore-a-backup",
    section_path=("Operate", "Restore a backup"),
    url="/status#restore",
)
LIST_FINDINGS = Chunk(
    "api:findings",
    Kind.API,
    "GET /api/v1/findings — List findings",
    "What was learnt, the newest first.",
    path="openapi.json",
    identifiers=("GET /api/v1/findings", "list_findings"),
    url="/api/v1/docs",
    details={"method": "GET", "path": "/api/v1/findings", "curl": "curl http://127.0.0.1:8000/api/v1/findings"},
)
DISK = Chunk(
    "doctor:GF010",
    Kind.DOCTOR,
    "Disk",
    "The disk is full and no backup is written.",
    identifiers=("GF010",),
    url="/status#GF010",
    details={"checkCode": "GF010", "runCommand": "manage.py doctor --only GF010"},
)
WIPE = Chunk(
    "doctor:GF099",
    Kind.DOCTOR,
    "Old backups",
    "Backups from an earlier version take room.",
    identifiers=("GF099",),
    url="/status#GF099",
    details={
        "checkCode": "GF099",
        "runCommand": "manage.py doctor --only GF099",
        "remedyCommand": "manage.py backup --delete-old",
        "requiresConfirmation": True,
        "isDestructive": True,
    },
)
CAUSE = Chunk(
    "cause:7",
    Kind.CAUSE,
    "Parts are lost after the third clause",
    "Sections are missing from a long query.",
    identifiers=("#7", "cause 7"),
    url="/causes/7",
)
FOR_ADMINS = Chunk(
    "target:secret", Kind.TARGET, "The backup router", "It answers while the other is away.", url="/t", for_admins=True
)
ALL = (RESTORE, LIST_FINDINGS, DISK, WIPE, CAUSE, FOR_ADMINS)


def put(*pieces: Chunk) -> None:
    """Has search find these; all of the above where none is named."""
    writing.put(pieces or ALL)
