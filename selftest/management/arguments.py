"""Types for the arguments of commands; their errors name the value and what would be valid."""

from argparse import ArgumentTypeError
from collections.abc import Callable


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """A whole number from `least` to `most`, both valid themselves."""

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if not least <= number <= most:
            raise ArgumentTypeError(f"{text!r} is not valid: a whole number from {least} to {most}")
        return number

    return parse


def share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ArgumentTypeError(f"{text!r} is not valid: a number from 0 to 1")
    return number
