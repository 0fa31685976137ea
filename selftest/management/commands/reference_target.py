"""`manage.py reference_target`: the bundled router over HTTP, with faults switched on."""

import signal
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from selftest.management.arguments import share, whole_number
from selftest.management.tables import console_on, table_of
from selftest.targets.reference.app import serve
from selftest.targets.reference.faults.registry import FAULTS
from selftest.targets.reference.target import ReferenceTarget


class Command(BaseCommand):
    """Serves until Ctrl-C, or lists the faults."""

    help = "Serves the bundled reference router over HTTP, to try Gadfly against a target with known faults."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declares the options."""
        parser.add_argument("--port", type=whole_number(0, 65535), default=8090, help="0: a free one (default: 8090)")
        parser.add_argument("--fault", nargs="+", action="extend", default=[], metavar="NAME", help="switch these on")
        parser.add_argument(
            "--empty-rate", type=share, default=0.0, help="share of questions that a source has nothing on"
        )
        parser.add_argument("--seed", type=whole_number(0, 2**63 - 1), default=0, help="chooses those questions")
        parser.add_argument("--list-faults", action="store_true", help="list the faults and exit")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exits with 2 for an unknown fault or a port that is in use."""
        if options["list_faults"]:
            return self._list_faults()
        try:
            target = ReferenceTarget(faults=options["fault"], empty_rate=options["empty_rate"], seed=options["seed"])
        except ValueError as fault:
            raise CommandError(str(fault), returncode=2) from fault
        try:
            server = serve(target, port=options["port"])
        except OSError as fault:
            raise CommandError(f"cannot listen on port {options['port']}: {fault.strerror}", returncode=2) from fault
        signal.signal(signal.SIGTERM, _interrupt)
        faults = ", ".join(options["fault"]) or "no faults"
        self.stdout.write(
            f"The reference router is at http://127.0.0.1:{server.server_port} with {faults}  (Ctrl-C stops it)"
        )
        self.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")
        finally:
            server.server_close()
            target.close()

    def _list_faults(self) -> None:
        table = table_of("fault", "what a caller sees", whole=("fault",))
        for fault in FAULTS.values():
            table.add_row(fault.name, fault.seen)
        console_on(self.stdout).print(table)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
