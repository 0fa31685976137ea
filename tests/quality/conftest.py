from tests.commands.process import manage, own_environment

__all__ = ["manage", "own_environment"]
