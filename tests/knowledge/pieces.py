"""Pieces that tests search: a small invented documentation of a coffee machine's server, in five languages."""

from collections.abc import Mapping
from typing import Any

from selftest.knowledge.core.chunks import Chunk, Kind, chunk_id


def piece(title: str, body: str = "", kind: Kind = Kind.DOCS, **more: Any) -> Chunk:
    """One piece; its id comes from its title."""
    return Chunk(chunk_id(kind, title, more.get("language", "en")), kind, title, body, **more)


GRINDER = piece("Grinder jams", "Beans that are too oily jam the grinder. Clean the burrs and start it again.")
DESCALE = piece(
    "Descaling", "Run the descaling program every two months, or the boiler loses pressure.", tags=("care",)
)
BACKUP = piece("Backups of recipes", "Recipes are copied to the card each night. Restore them from the menu.")
BREW = piece(
    "POST /brews — Brew a cup",
    "Starts to brew one cup with a recipe.",
    Kind.API,
    identifiers=("startBrew", "POST /brews"),
    service="brewer",
    details={"method": "POST", "path": "/brews"},
)
CUP = piece(
    "GET /brews/{brew_id} — One brew",
    "How far a brew is.",
    Kind.API,
    identifiers=("getBrew", "GET /brews/{brew_id}"),
    service="brewer",
)
PUMP = piece(
    "Pump",
    "The pump runs dry when the tank is empty. Fill the tank.",
    Kind.DOCTOR,
    identifiers=("CM007",),
    for_admins=False,
)
PUMP_GERMAN = piece(
    "Pumpe",
    "Die Pumpe läuft trocken, wenn der Tank leer ist. Füllen Sie den Tank.",
    Kind.DOCTOR,
    identifiers=("CM007",),
    language="de",
)
KEYS = piece("Service keys", "The key of the service door hangs in the office.", for_admins=True)
VALVES = piece("Ventile", "Die Ventile werden jährlich geprüft und ausgewechselt.", language="de")
FILTERS = piece("Filtres à eau", "Les filtres doivent être remplacés chaque trimestre.", language="fr")
BOILERS = piece("Calderas", "Las calderas se revisan antes de cada temporada.", language="es")
CUPS = piece("Чашки", "Чашки подогреваются перед приготовлением кофе.", language="ru")
EVERY = (GRINDER, DESCALE, BACKUP, BREW, CUP, PUMP, PUMP_GERMAN, KEYS, VALVES, FILTERS, BOILERS, CUPS)
BY_ID: Mapping[str, Chunk] = {chunk.id: chunk for chunk in EVERY}
