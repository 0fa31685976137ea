"""The site for nginx and the environment beside it, as they are handed out, with a real nginx before a real start."""

import re
import shlex
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.commands.process import DEPLOYMENT
from tests.commands.started import ANSWER_LIMIT_S, Started, free_port, to_its_end
from tests.servers import Nginx

pytestmark = pytest.mark.process

HOST = "gadfly.example"
SIGNED_IN = re.compile(r"sign in as reviewer +password (\S+)")


def variables() -> dict[str, str]:
    """Those of gadfly.env, but for the folder of its data."""
    lines = shlex.split((DEPLOYMENT / "gadfly.env").read_text(), comments=True)
    set_ones = dict(line.split("=", 1) for line in lines)
    return {name: value for name, value in set_ones.items() if name != "DATA_DIR"}


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate for HOST, and its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    begun = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    dated = begun.serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    named = dated.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
    certificate, private = folder / "gadfly.pem", folder / "gadfly.key"
    certificate.write_bytes(named.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return certificate, private


class Behind:
    """Asks a started Gadfly through nginx, as a browser does that knows HOST."""

    def __init__(self, started: Started, port: int, plain_port: int, certificate: Path) -> None:
        self.started = started
        self._plain_port = plain_port
        self._browser = httpx.Client(
            base_url=f"https://127.0.0.1:{port}",
            headers={"Host": HOST},
            verify=ssl.create_default_context(cafile=str(certificate)),
            trust_env=False,
            timeout=30,
        )

    def get(self, path: str) -> httpx.Response:
        return self._browser.get(path, extensions={"sni_hostname": HOST})

    def post(self, path: str, form: dict[str, str], origin: str) -> httpx.Response:
        headers = {"Origin": origin, "Referer": f"{origin}{path}"}
        return self._browser.post(path, data=form, headers=headers, extensions={"sni_hostname": HOST})

    def get_plainly(self, path: str) -> httpx.Response:
        return httpx.get(f"http://127.0.0.1:{self._plain_port}{path}", headers={"Host": HOST}, trust_env=False)


@pytest.fixture
def behind(own_environment: dict[str, str], tmp_path: Path, nginx: Nginx) -> Iterator[Behind]:
    certificate, key = self_signed(tmp_path)
    plain_port = free_port()
    with to_its_end(Started(own_environment | variables(), tmp_path / "start.log")) as started:

        def site(port: int) -> str:
            text = (DEPLOYMENT / "nginx.conf").read_text()
            for written, here in (
                ("listen 80;", f"listen 127.0.0.1:{plain_port};"),
                ("listen 443 ", f"listen 127.0.0.1:{port} "),
                ("/etc/ssl/gadfly.pem", str(certificate)),
                ("/etc/ssl/private/gadfly.key", str(key)),
                ("http://127.0.0.1:8000", started.url),
            ):
                assert text.count(written) == 1, written
                text = text.replace(written, here)
            return text

        started.wait_until(started.answers, ANSWER_LIMIT_S, "the server answers")
        started.wait_until(lambda: started.get("/health")["status"] == "ok", ANSWER_LIMIT_S, "a worker is there")
        with nginx(site) as port:
            yield Behind(started, port, plain_port, certificate)


def test_people_sign_in_through_nginx_and_no_one_from_elsewhere(behind: Behind) -> None:
    plainly = behind.get_plainly("/flags?tab=now")
    assert (plainly.status_code, plainly.headers["Location"]) == (301, f"https://{HOST}/flags?tab=now")

    assert behind.get("/health").json()["status"] == "ok"
    first = behind.get("/")
    assert (first.status_code, first.headers["Location"]) == (302, "/sign-in?next=%2F"), "no circle of redirects"

    page = behind.get("/sign-in")
    assert all("Secure" in cookie for cookie in page.headers.get_list("Set-Cookie"))
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    password = SIGNED_IN.search(behind.started.said)
    assert token is not None
    assert password is not None
    form = {"csrfmiddlewaretoken": token[1], "username": "reviewer", "password": password[1]}
    assert behind.post("/sign-in", form, "https://elsewhere.example").status_code == 403
    assert behind.post("/sign-in", form, f"https://{HOST}").status_code == 302
