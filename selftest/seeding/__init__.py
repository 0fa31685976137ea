"""A large history for trying the pages at scale; made without asking anybody."""

from selftest.seeding.history import seed_history
from selftest.seeding.request import SeedRefused, SeedRequest
from selftest.seeding.writing import Seeded

__all__ = ["SeedRefused", "SeedRequest", "Seeded", "seed_history"]
