"""Search by meaning, by words and by both, whatever is typed."""

import dataclasses
from pathlib import Path

import pytest

from core.options import EncodeOptions, SearchOptions
from core.progress import run_to_end
from core.store import DocumentFilter, Project
from core.workflows.encoding import encode_corpus
from core.workflows.search_desk import SearchDesk
from core.workflows.searching import nearest_texts, search_corpus

AWKWARD = (
    '"', '""', "'", "NEAR(", "a NEAR b", "AND", "OR NOT", "*", "card*", "^card", "text:card",
    "-card", "(card", "card)", "{}", "🙂", "卡", "رسوم", "c\u0327a", "\x00", "card\x00twice",
    "x" * 10_000, " ",
)  # fmt: skip


def find(project: Project, text: str, by: str = "both", **more: object):
    return run_to_end(search_corpus(project, text, SearchOptions(by=by, count=5), **more))


@pytest.mark.parametrize("query", AWKWARD)
@pytest.mark.parametrize("by", ["meaning", "words", "both"])
def test_no_query_is_an_error(prepared: Project, query: str, by: str):
    outcome = find(prepared, query, by)
    assert all(
        0 <= start < stop <= len(hit.body) for hit in outcome.hits for start, stop in hit.marks
    )


def test_words_are_found_and_marked(prepared: Project):
    outcome = find(prepared, "PARCEL", "words")
    assert len(outcome.hits) == 2
    assert all(hit.body[slice(*hit.marks[0])].lower() == "parcel" for hit in outcome.hits)
    assert all((hit.by, hit.cosine) == ("words", None) for hit in outcome.hits)


def test_a_text_is_nearest_to_itself(prepared: Project):
    body = "The app closes when I open the camera"
    hit = find(prepared, body, "meaning").hits[0]
    assert hit.body == body
    assert hit.cosine == pytest.approx(1, abs=1e-4)


def test_a_question_longer_than_the_encoder_reads_at_once_is_answered(prepared: Project):
    found = find(prepared, "my card was charged twice for the same order " * 200, "meaning")
    assert found.by == "meaning"
    assert found.hits


def test_copies_are_one_hit_that_counts_them(prepared: Project):
    hits = find(prepared, "charged twice", "words").hits
    assert [hit.rows for hit in hits if hit.body.startswith("My")] == [2]


def test_both_rankings_lead_when_fused(prepared: Project):
    outcome = find(prepared, "Where is my parcel? It should have come on Monday")
    assert outcome.hits[0].by == "both"
    assert "Monday" in outcome.hits[0].body


def test_a_filter_keeps_to_its_rows(prepared: Project):
    wanted = DocumentFilter(contains="camera")
    outcome = find(prepared, "my card was charged", wanted=wanted)
    assert outcome.allowed == 2
    assert {"camera" in hit.body for hit in outcome.hits} == {True}


def test_before_encoding_words_are_found_and_that_is_said(project: Project, table, bring):
    bring(project, table(["my parcel is late", "the app closes"]))
    outcome = find(project, "parcel")
    assert (outcome.by, len(outcome.hits)) == ("words", 1)
    assert "not encoded" in outcome.note


def test_texts_without_a_vector_are_told(prepared: Project, table, bring):
    bring(prepared, table(["a brand new complaint"], "more.csv", 100))
    outcome = find(prepared, "complaint")
    assert "1 text has no vector yet" in outcome.note
    assert "a brand new complaint" in [hit.body for hit in outcome.hits[:2]]


def test_a_desk_takes_new_texts_and_drops_gone_ones(
    prepared: Project, table, bring, tiny_encoder: Path
):
    desk = SearchDesk()
    find(prepared, "card", "meaning", desk=desk)
    bring(prepared, table(["a brand new complaint"], "more.csv", 100))
    run_to_end(encode_corpus(prepared, EncodeOptions(encoder=str(tiny_encoder))))
    assert find(prepared, "a brand new complaint", "meaning", desk=desk).hits[0].cosine > 0.999
    for _ in prepared.sources.remove(1):
        pass
    hits = find(prepared, "card", "meaning", desk=desk).hits
    assert [hit.body for hit in hits] == ["a brand new complaint"]


def test_a_damaged_index_is_made_again(prepared: Project):
    find(prepared, "card", "meaning")
    file = next((prepared.folder / "cache").glob("index-*"))
    file.write_bytes(b"nonsense")
    assert find(prepared, "card", "meaning").hits


def test_the_nearest_texts_leave_the_text_itself_out(prepared: Project):
    outcome = run_to_end(nearest_texts(prepared, 4, SearchOptions(count=3)))
    assert len(outcome.hits) == 3
    assert outcome.hits[0].body.startswith("Where is my parcel?")
    assert all(hit.text != prepared.documents.get([4])[0].text for hit in outcome.hits)


def test_a_blank_row_has_nothing_near_it(prepared: Project):
    outcome = run_to_end(nearest_texts(prepared, 9, SearchOptions()))
    assert (outcome.hits, bool(outcome.note)) == ((), True)


def test_a_hit_is_plain_values(prepared: Project):
    import json

    assert json.loads(json.dumps(dataclasses.asdict(find(prepared, "card"))))["hits"]
