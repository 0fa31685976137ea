"""The hash that indexes hold instead of a long text."""

import hashlib


def sha256_hex(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()  # scripts may ask for any string
