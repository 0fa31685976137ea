"""What a person or a script asked for and cannot have, with the reason and the way out. Imports nothing of ours."""


class RefusedError(Exception):
    """What was asked for cannot be done as things stand. The message says why and what to do."""


class UnknownError(RefusedError):
    """The thing named does not exist."""


class OutdatedError(RefusedError):
    """Things have moved on since the caller looked."""


class BrokerAwayError(RefusedError):
    """The worker could not be told; nothing was handed over."""
