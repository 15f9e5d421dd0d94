"""Framed messages: four bytes of length, then that much JSON in UTF-8."""

import json
from typing import Any, BinaryIO

_LIMIT = 256 * 1024 * 1024


def write_frame(stream: BinaryIO, message: dict[str, Any]) -> None:
    """Write one message and flush it."""
    body = json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode()
    stream.write(len(body).to_bytes(4, "big") + body)
    stream.flush()


def read_frame(stream: BinaryIO) -> dict[str, Any] | None:
    """Read one message; None at the end of the stream, also when it ends inside a message."""
    head = _exactly(stream, 4)
    if head is None:
        return None
    size = int.from_bytes(head, "big")
    if size > _LIMIT:
        raise ValueError(f"a message of {size} bytes")
    body = _exactly(stream, size)
    if body is None:
        return None
    message: dict[str, Any] = json.loads(body)
    return message


def _exactly(stream: BinaryIO, size: int) -> bytes | None:
    parts = []
    while size > 0:
        part = stream.read(size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
