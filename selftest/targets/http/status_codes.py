"""What an HTTP status says of a target. 2xx is an answer; what is not named here is a crash of the target."""

AWAY = frozenset({502, 503, 504})  # a proxy or the target itself says that it is not up now
MISCONFIGURED = frozenset({401, 403, 404, 405})  # of the search path: we ask wrongly, so no query is to blame


def is_answer(status: int) -> bool:
    """Whether the body may hold an answer."""
    return 200 <= status < 300


def is_redirect(status: int) -> bool:
    """Whether it points elsewhere; redirects are not followed."""
    return 300 <= status < 400
