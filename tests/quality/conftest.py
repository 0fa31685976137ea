from tests.commands.process import manage

__all__ = ["manage"]
