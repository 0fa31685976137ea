"""Whether the broker of tasks is away, and what is raised then; the database's own error where that is the broker."""

from django.conf import settings
from django.db import Error as AnyDatabaseError

from selftest.refusals import BrokerAwayError

PATIENCE_S = 5  # for an answer of the broker


def _of_redis() -> tuple[type[Exception], ...]:
    """Only where Redis is the broker: its client takes 20 MB of each process that loads it."""
    if "redis" not in settings.Q_CLUSTER:
        return ()
    from redis.exceptions import RedisError

    return (RedisError,)


BROKER_AWAY: tuple[type[Exception], ...] = (*_of_redis(), OSError)
BROKER_OR_DATABASE_AWAY: tuple[type[Exception], ...] = (*BROKER_AWAY, AnyDatabaseError)


def require_broker() -> None:
    """Raises BrokerAwayError where tasks are queued in a Redis that does not answer."""
    if url := settings.ENVIRONMENT.redis_url:
        import redis  # here, for what it takes

        try:
            redis.Redis.from_url(url, socket_connect_timeout=PATIENCE_S).ping()
        except redis.RedisError as fault:
            shown = url if "@" not in url else f"redis://…@{url.rpartition('@')[2]}"  # without its password
            said = " ".join(str(fault).split())
            raise BrokerAwayError(f"REDIS_URL={shown!r}: nothing answers there: {said}") from fault
