import pytest

from tests.commands.process import manage

__all__ = ["manage"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full-detection",
        action="store_true",
        help="measure detection as `manage.py measure_detection` does: 20 seeds, 500 queries; some ten minutes",
    )


@pytest.fixture(scope="session")
def is_full(pytestconfig: pytest.Config) -> bool:
    # The default is for a run of all tests, which reads this file after the options.
    return bool(pytestconfig.getoption("--full-detection", default=False))
