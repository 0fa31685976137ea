"""What is known of the worker from here: its heartbeat and what waits for it. None: it cannot be told."""

from django.db import Error as AnyDatabaseError
from django_q.brokers import get_broker
from django_q.status import Stat
from redis.exceptions import RedisError

UNTOLD = (AnyDatabaseError, RedisError, OSError)


def worker_clusters() -> int | None:
    """How many clusters have a fresh heartbeat."""
    try:
        # Twice: where a cluster has died, the first reading forgets it and passes over the one behind it.
        return len(Stat.get_all() or Stat.get_all())
    except UNTOLD:
        return None


def waiting_tasks() -> int | None:
    """How many tasks no worker has taken yet."""
    try:
        return int(get_broker().queue_size())
    except UNTOLD:
        return None
