"""Whether a piece is what a search asks for, as `index/pieces.py` asks the database. Pure: values in, truth out."""

from selftest.knowledge.core.answers import Filters
from selftest.knowledge.core.chunks import Chunk


def passes(piece: Chunk, filters: Filters, for_admin: bool = False) -> bool:
    """for_admin: whether what is for admins may be found."""
    tags = {tag.casefold() for tag in piece.tags}
    return (
        (not filters.domains or piece.domain in filters.domains)
        and (not filters.kinds or piece.kind in filters.kinds)
        and all(
            not wanted or wanted == there
            for wanted, there in (
                (filters.product, piece.product),
                (filters.version, piece.version),
                (filters.service, piece.service),
            )
        )
        and all(tag.casefold() in tags for tag in filters.tags)
        and (not filters.targets or piece.target_id is None or piece.target_id in filters.targets)
        and (for_admin or not piece.for_admins)
    )
