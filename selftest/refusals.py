"""Refusals: exceptions whose message tells a person or a script why something cannot be done, and what to do."""


class RefusedError(Exception):
    """It cannot be done as things are. The message says why and what to do."""


class UnknownError(RefusedError):
    """What was named does not exist."""


class OutdatedError(RefusedError):
    """Something has changed since the caller looked."""


class UnderWayError(RefusedError):
    """The same call is being answered elsewhere."""


class ReusedKeyError(RefusedError):
    """The idempotency key was sent with another request before."""


class BrokerAwayError(RefusedError):
    """The worker could not be told: nothing was queued."""


class SetupError(Exception):
    """The start is not possible as configured. The message is one line that says what to change."""
