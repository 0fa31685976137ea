from tests.commands.process import fresh_environment, manage_process, own_environment

__all__ = ["fresh_environment", "manage_process", "own_environment"]
