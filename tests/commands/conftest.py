from tests.commands.process import fresh_environment, manage, manage_afresh, manage_process, own_environment

__all__ = ["fresh_environment", "manage", "manage_afresh", "manage_process", "own_environment"]
