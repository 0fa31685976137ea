#!/usr/bin/env python
"""The command line of Gadfly: `uv run manage.py start` brings up the whole product."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "review.settings")
    from django.core.management import execute_from_command_line

    from review.environment import InvalidEnvironmentError

    try:
        execute_from_command_line(sys.argv)
    except InvalidEnvironmentError as fault:
        print(fault, file=sys.stderr)  # noqa: T201 - there is no command yet whose stderr could be used
        sys.exit(2)


if __name__ == "__main__":
    main()
