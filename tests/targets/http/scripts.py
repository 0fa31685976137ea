"""What a scripted server says and does: a good answer, any answer, none, and answers that drip."""

from tests.targets.http.raw_server import Conversation, Script

GOOD = {
    "query": "weather plus headlines",
    "source_used": "fusion",
    "result": "[FORECAST — …]\nsun",
    "success": True,
    "cached": False,
    "error": None,
}


def says(body: object, status: str = "200 OK", headers: str = "") -> Script:
    return lambda conversation: conversation.answer(body, status, headers)


def plays(*pieces: bytes) -> Script:
    def script(conversation: Conversation) -> None:
        for piece in pieces:
            conversation.send(piece)

    return script


def never_answers(conversation: Conversation) -> None:
    conversation.hung_up_within(None)


DRIPS = {
    "nothing at all": never_answers,
    "status line": lambda conversation: conversation.drip(b"HTTP/1.1 2000"),
    "headers": lambda conversation: conversation.drip(b"HTTP/1.1 200 OK\r\nX-Slow: aaaa"),
    "informational answers": lambda conversation: conversation.drip(b"HTTP/1.1 102 Processing\r\n\r\n" * 1000, 0.001),
    "body with a length": lambda c: (c.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"), c.drip(b"{ ")),
    "body until close": lambda c: (c.send(b"HTTP/1.1 200 OK\r\n\r\n"), c.drip(b"{ ")),
    "chunk size": lambda c: (c.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), c.drip(b"1;aaaa")),
}
