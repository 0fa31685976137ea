"""Text as every database can hold it, and the hash by which long text is looked up. Knows no rows."""

import hashlib
import re

KEPT_RESULT_BYTES = 256 * 1024  # of an answer; its length and sha256 are of all that came
HALF_SURROGATE = re.compile("[\ud800-\udfff]")


def storable(text: str, limit_bytes: int = KEPT_RESULT_BYTES) -> str:
    """`text` as every database can hold it: NUL shown as ␀, half a surrogate pair as �, cut at `limit_bytes`."""
    whole = HALF_SURROGATE.sub("�", text.replace("\x00", "␀"))
    cut = whole.encode()[:limit_bytes]
    return whole if len(cut) == len(whole.encode()) else cut.decode(errors="ignore")


def sha256_hex(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal; the text may hold halves of surrogate pairs."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()  # scripts may ask for any string
