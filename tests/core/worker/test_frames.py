"""Messages survive the pipe, and a broken pipe is told from a message."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.worker.frames import read_frame, write_frame

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


class OneByteAtATime(io.RawIOBase):
    """A pipe that gives less than it is asked for."""

    def __init__(self, body: bytes) -> None:
        self._rest = io.BytesIO(body)

    def read(self, size: int = -1) -> bytes:
        return self._rest.read(min(size, 1))


def framed(*messages: dict[str, object]) -> bytes:
    stream = io.BytesIO()
    for message in messages:
        write_frame(stream, message)
    return stream.getvalue()


@given(st.dictionaries(st.text(), PLAIN, max_size=4))
def test_what_is_written_is_read(message: dict[str, object]) -> None:
    assert read_frame(io.BytesIO(framed(message))) == message


def test_messages_are_read_one_by_one_and_then_none() -> None:
    stream = io.BytesIO(framed({"a": 1}, {"b": "Zoë 文書 \x00\n"}, {}))
    assert [read_frame(stream) for _ in range(4)] == [{"a": 1}, {"b": "Zoë 文書 \x00\n"}, {}, None]


@pytest.mark.parametrize("cut", range(len(framed({"job": 1}))))
def test_a_message_cut_anywhere_is_the_end_of_the_stream(cut: int) -> None:
    assert read_frame(io.BytesIO(framed({"job": 1})[:cut])) is None


def test_a_pipe_that_gives_a_byte_at_a_time_is_read_whole() -> None:
    assert read_frame(OneByteAtATime(framed({"words": "x" * 300}))) == {"words": "x" * 300}


def test_bytes_that_are_no_frames_are_refused_before_they_are_waited_for() -> None:
    with pytest.raises(ValueError, match="a message of"):
        read_frame(io.BytesIO(b"Traceback (most recent call last):"))


def test_what_cannot_be_told_in_plain_values_writes_nothing() -> None:
    stream = io.BytesIO()
    with pytest.raises(TypeError):
        write_frame(stream, {"path": object()})
    assert stream.getvalue() == b""
