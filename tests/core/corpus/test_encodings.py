import pytest

from core.corpus import inspect, read_rows
from core.corpus.opening import MIXED
from core.errors import UserError

WESTERN = "id,text\n1,Le café est très près de l'école\n2,Grüße aus München, schöne Straße\n"
JAPANESE = "id,text\n1,荷物はどこですか。まだ届いていません。\n2,ありがとうございます\n"
CHINESE = "id,text\n1,我的包裹在哪里?还没有收到。\n2,谢谢你的帮助\n"
TAIWANESE = "id,text\n1,我的包裹在哪裡?還沒有收到。\n2,謝謝你的幫助\n"
KOREAN = "id,text\n1,제 소포는 어디에 있나요? 아직 받지 못했습니다.\n2,감사합니다\n"
RUSSIAN = "id,text\n1,Где моя посылка? Я жду уже неделю\n2,Спасибо большое\n"
CZECH = "id,text\n1,Příliš žluťoučký kůň úpěl ďábelské ódy\n2,děkuji vám za rychlou odpověď\n"


def texts(path, **choices):
    return "\n".join(
        row.cells[1] or "" for row in read_rows(path, inspect(path, **choices).reading)
    )


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (WESTERN, "latin-1"),
        (WESTERN + "3,“quoted” – 5 €\n", "cp1252"),
        (WESTERN, "utf-8"),
        (WESTERN, "utf-8-sig"),
        (WESTERN, "utf-16"),
        (WESTERN, "utf-32"),
        (WESTERN, "utf-16-le"),
        (WESTERN, "utf-16-be"),
        (JAPANESE, "utf-16-le"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"),
        (TAIWANESE, "big5"),
        (KOREAN, "euc_kr"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (CZECH, "cp1250"),
    ],
)
def test_texts_are_decoded_as_they_were_written(write, content, encoding):
    written = [line.split(",", 1)[1] for line in content.splitlines()[1:]]
    assert texts(write(content, encoding=encoding)).split("\n") == written


def test_a_guess_without_evidence_asks_to_be_looked_at(write):
    seen = inspect(write("text\ncafé\n", encoding="cp1252"))
    assert any("The encoding is a guess" in warning for warning in seen.warnings)
    assert len(seen.encodings) > 2


def test_utf8_is_checked_to_the_end_of_the_file(write):
    content = b"id,text\n" + b"1,plain text\n" * 200_000 + "2,café\n".encode("latin-1")
    assert inspect(write(content)).reading.encoding == "cp1252"


def test_invalid_bytes_in_utf8_are_told_and_read_as_windows_1252(write):
    content = "id,text\n1,schöne Grüße – 文書\n2,".encode() + b"caf\xe9\n3,na\xefve \x9d\n"
    seen = inspect(write(content))
    assert seen.reading.encoding == MIXED
    assert [row.cells[1] for row in seen.sample] == ["schöne Grüße – 文書", "café", "naïve \x9d"]
    assert any("3 invalid bytes" in w and "line 3" in w for w in seen.warnings)
    assert "cp1252" in seen.encodings or "cp1252" in " ".join(seen.warnings)


@pytest.mark.parametrize(
    ("content", "encoding", "place"),
    [
        (b"id,text\n1,one\n2,caf\xe9 noir\n", "utf-8", r"byte 19 \(0xe9\) on line 3"),
        (b"id,text\r\n1,one\r\n2,\x81\r\n", "cp1252", r"byte 18 \(0x81\) on line 3"),
        ("id,text\n1,é\n".encode(), "ascii", r"byte 10 \(0xc3\) on line 2"),
        (b"id,text\r" + b"1,one\r" * 100_000 + b"\xff", "utf-8", r"byte 600,008 .* line 100,002"),
    ],
)
def test_a_chosen_encoding_that_does_not_fit_says_where(write, content, encoding, place):
    path = write(content)
    with pytest.raises(UserError, match=place):
        inspect(path, encoding=encoding)


def test_a_chosen_encoding_is_used(write):
    path = write("id,text\n1,где моя посылка\n", encoding="cp1251")
    assert texts(path, encoding="cp1251") == "где моя посылка"


def test_a_mark_is_no_part_of_the_text_whatever_was_chosen(write):
    path = write("id,text\n1,one\n", encoding="utf-16")
    assert inspect(path, encoding="utf-16-le").reading.columns == ("id", "text")


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "hex"])
def test_an_unknown_encoding_is_refused(write, encoding):
    with pytest.raises(UserError, match="no encoding called"):
        inspect(write("a,b\n"), encoding=encoding)


def test_the_encoding_in_use_is_offered_first(write):
    seen = inspect(write(WESTERN, encoding="cp1252"))
    assert seen.encodings[0] == seen.reading.encoding == "cp1252"


def test_a_stray_nul_does_not_turn_a_file_into_utf_16(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_bytes(b"id,text\n1,he\x00llo world\n2,other text here\n3,third one here\n")
    assert inspect(path).reading.encoding == "utf-8"


def test_utf_16_without_its_mark_is_told_as_such(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("id,text\n1,one\n")
    with pytest.raises(UserError, match="cannot be read as utf-16"):
        inspect(path, encoding="utf-16")
