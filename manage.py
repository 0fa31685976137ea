#!/usr/bin/env python
"""The command line of Gadfly: `uv run manage.py start` brings up the whole product."""

import os
import sys


def main() -> None:
    os.umask(0o077)  # all that commands write is for the owner alone; SQLite creates files by it
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "review.settings")
    from django.core.management import execute_from_command_line

    from review.environment import InvalidEnvironmentError

    try:
        execute_from_command_line(sys.argv)
    except InvalidEnvironmentError as fault:
        print(fault, file=sys.stderr)  # noqa: T201 - there is no command yet whose stderr could be used
        sys.exit(2)
    except Exception as error:
        from selftest.operating.database_faults import database_fault, in_one_line

        if database_fault(error) is None:
            raise
        print(in_one_line(error), file=sys.stderr)  # noqa: T201 - as above
        sys.exit(2)
    except KeyboardInterrupt:  # before a command that handles it had begun
        sys.exit(130)


if __name__ == "__main__":
    main()
