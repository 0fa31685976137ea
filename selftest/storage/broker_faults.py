"""What is raised where the broker of tasks is away; the database's own error where that is the broker."""

from django.conf import settings
from django.db import Error as AnyDatabaseError


def _of_redis() -> tuple[type[Exception], ...]:
    """Only where Redis is the broker: its client takes 20 MB of each process that loads it."""
    if "redis" not in settings.Q_CLUSTER:
        return ()
    from redis.exceptions import RedisError

    return (RedisError,)


BROKER_AWAY: tuple[type[Exception], ...] = (*_of_redis(), OSError)
BROKER_OR_DATABASE_AWAY: tuple[type[Exception], ...] = (*BROKER_AWAY, AnyDatabaseError)
