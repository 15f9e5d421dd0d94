import pytest

from core.store import DocumentFilter, StagedRow

ODD = [
    "nul \x00 inside",
    "\x0bvertical",
    "bell \x07",
    "a\r\nb\tc",
    "\ud7ff edge",
    "e\u0301 = é",
    "🙂🏽",
]


@pytest.fixture
def shown(project):
    """The texts that a filter leaves, in its order."""

    def found(**wanted):
        ids = project.documents.order(DocumentFilter(**wanted))
        return [row.body for row in project.documents.get(ids)]

    return found


def test_every_row_is_kept_with_its_place_cells_and_dates(project, bring):
    bring(
        project, [("7", "hello there", None)], columns=("id", "text", "when"),
        dates=[{"when": "2024-05-12"}],
    )  # fmt: skip
    (row,) = next(project.documents.stream())
    assert (row.place, row.line, row.key) == (1, 2, "7")
    assert row.columns == ("id", "text", "when")
    assert row.cells == ("7", "hello there", None)
    assert row.dates == {"when": "2024-05-12"}


@pytest.mark.parametrize("body", ODD)
def test_odd_characters_come_back_as_they_went_in(project, bring, body):
    bring(project, [("1", body)])
    (row,) = next(project.documents.stream())
    assert (row.body, row.cells[1]) == (body, body)


def test_copies_share_one_text_and_are_counted(project, bring):
    bring(project, [("1", "same"), ("2", "same"), ("3", "other")])
    rows = next(project.documents.stream())
    assert [row.copies for row in rows] == [2, 2, 1]
    assert rows[0].text == rows[1].text
    assert [row.id for row in project.documents.of_text(rows[0].text)] == [1, 2]


def test_texts_that_differ_after_a_nul_are_different(project, bring):
    bring(project, [("1", "start\x00one"), ("2", "start\x00two")])
    assert project.texts.count() == 2


def test_blank_rows_stay_and_hold_no_text(project, bring):
    bring(project, [("1", None), ("2", "NA"), ("3", "null")])
    rows = next(project.documents.stream())
    assert [row.text is None for row in rows] == [True, False, False]
    assert [row.body for row in rows] == ["", "NA", "null"]


def test_stage_counts_texts_known_before(project, stage):
    stage(project, [("1", "known")], name="a.csv")
    source = stage(project, [], name="b.csv")
    from_before = project._db.conn.execute("SELECT hash FROM texts").fetchone()[0]
    rows = [_staged("known", from_before, 1), _staged("new", "h2", 2), _staged("new", "h2", 3)]
    assert project.documents.stage(source, rows) == 2


def test_get_keeps_the_order_asked_for_and_leaves_unknown_ids_out(project, bring):
    bring(project, [(str(n), f"text {n}") for n in range(1, 1001)])
    wanted = [1000, 3, 9999, 1]
    assert [row.id for row in project.documents.get(wanted)] == [1000, 3, 1]


def test_streaming_meets_every_row_once_whatever_the_page(project, bring, bodies):
    bring(project, [(str(n), f"a {n}") for n in range(7)], name="a.csv")
    bring(project, [(str(n), f"b {n}") for n in range(5)], name="b.csv")
    expected = [f"a {n}" for n in range(7)] + [f"b {n}" for n in range(5)]
    assert bodies(project) == expected
    small = [row.body for page in project.documents.stream(page=3) for row in page]
    assert small == expected


def test_a_file_imported_while_rows_are_streamed_is_met_too(project, bring):
    bring(project, [("1", "one"), ("2", "two")], name="a.csv")
    pages = project.documents.stream(page=1)
    next(pages)
    bring(project, [("3", "three")], name="b.csv", columns=("key", "body"))
    assert [page[0].columns for page in pages] == [("id", "text"), ("key", "body")]


def test_columns_of_all_files_are_named_once_in_order(project, bring):
    bring(project, [], name="a.csv", columns=("id", "text"))
    bring(project, [], name="b.csv", columns=("text", "city"))
    assert project.documents.columns() == ["id", "text", "city"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("CARD", ["My card was charged", "ID card lost"]),
        ("100%", ["100% wool"]),
        ("1_0", []),
        ("a\\b", ["path a\\b"]),
        ("ПРИВЕТ", ["Привет, мир"]),
        ("Straße", ["STRASSE is long"]),
        ("é", ["CAFÉ au lait"]),
        ("after", ["nul\x00after"]),
        ("没有", ["包裹没有到"]),
        ("", [  # nothing asked for
            "My card was charged", "ID card lost", "100% wool", "path a\\b", "Привет, мир",
            "STRASSE is long", "CAFÉ au lait", "nul\x00after", "包裹没有到", "",
        ]),
    ],
)  # fmt: skip
def test_a_filter_finds_words_in_every_script_and_case(project, bring, shown, words, found):
    texts = ["My card was charged", "ID card lost", "100% wool", "path a\\b", "Привет, мир",
             "STRASSE is long", "CAFÉ au lait", "nul\x00after", "包裹没有到", None]  # fmt: skip
    bring(project, [(str(n), text) for n, text in enumerate(texts)])
    assert shown(contains=words) == found


def test_marks_pick_copies_blanks_and_short_texts(project, bring, shown):
    bring(project, [("1", "twice"), ("2", "twice"), ("3", None), ("4", "ok")])
    assert shown(mark="copy") == ["twice", "twice"]
    assert shown(mark="blank") == [""]
    assert shown(mark="very short") == ["ok"]


def test_long_texts_are_picked_by_what_the_encoder_counted(project, bring, encode):
    bring(project, [("1", "short one")], name="a.csv")
    encode(project)
    bring(project, [("2", "long one")], name="b.csv")
    encoder, _ = encode(project, windows=3)
    ids = project.documents.order(DocumentFilter(mark="long"), encoder=encoder.id)
    assert ids.tolist() == [2]
    assert project.documents.order(DocumentFilter(mark="long")).tolist() == []


def test_marks_are_counted_as_the_filters_find_them(project, bring, encode):
    bring(project, [("1", "twice"), ("2", "twice"), ("3", None), ("4", "ok")])
    encoder, _ = encode(project, windows=2)
    counted = project.documents.marked(encoder=encoder.id)
    for mark, number in counted.items():
        found = project.documents.order(DocumentFilter(mark=mark), encoder=encoder.id)
        assert (mark, number) == (mark, len(found))
    assert counted["long"] == 3
    assert project.documents.marked()["long"] == 0


def test_rows_of_one_text_are_found(project, bring, shown):
    bring(project, [("1", "twice"), ("2", "other"), ("3", "twice")])
    (first, *_) = next(project.documents.stream())
    assert shown(text=first.text) == ["twice", "twice"]


def test_what_the_encoder_made_of_texts_is_told_for_encoded_ones(project, bring, encode):
    bring(project, [("1", "long one")], name="a.csv")
    encoder, _ = encode(project, windows=2)
    bring(project, [("2", "not encoded yet")], name="b.csv")
    assert project.texts.encoder_marks(encoder.id, [1, 2]) == {1: (True, False)}


def test_filters_on_columns_reach_files_that_order_them_differently(project, bring, shown):
    bring(project, [("1", "a", "Lyon")], name="a.csv", columns=("id", "text", "city"))
    bring(project, [("2", "b", "LYON 3")], name="b.csv", columns=("key", "body", "city"))
    bring(project, [("Lyon", "c")], name="c.csv")
    assert shown(columns=(("city", "lyon"),)) == ["a", "b"]


def test_filters_together_narrow_further(project, bring, shown):
    bring(project, [("1", "card one"), ("2", "card two"), ("3", "card two")])
    assert shown(contains="card", mark="copy", columns=(("id", "2"),)) == ["card two"]


def test_numbers_sort_as_numbers_and_words_as_words(project, bring, shown):
    columns = ("id", "text", "amount", "city")
    bring(
        project, [("1", "a", "10", "Nice"), ("2", "b", "9", "lyon"), ("3", "c", "100", "Metz")],
        columns=columns,
    )  # fmt: skip
    assert shown(sort="column:amount") == ["b", "a", "c"]
    assert shown(sort="column:city", descending=True) == ["a", "c", "b"]


def test_dates_sort_by_time_whatever_their_figures(project, bring, shown):
    name = 'the "when"'
    bring(
        project, [("1", "second", "03/02/2024"), ("2", "first", "31/01/2024"), ("3", "none", None)],
        columns=("id", "text", name),
        dates=[{name: "2024-02-03"}, {name: "2024-01-31"}, None],
    )  # fmt: skip
    assert shown(sort=f"column:{name}") == ["none", "first", "second"]
    assert shown(sort=f"column:{name}", descending=True) == ["second", "first", "none"]


def test_sorting_by_a_column_no_file_has_keeps_the_places(project, bring, shown):
    bring(project, [("1", "a"), ("2", "b")])
    assert shown(sort="column:gone") == ["a", "b"]


@pytest.mark.parametrize(
    ("sort", "found"),
    [("text", ["a bit", "Bb", "Bb", "ccc"]), ("length", ["Bb", "Bb", "ccc", "a bit"]),
     ("copies", ["a bit", "ccc", "Bb", "Bb"]), ("place", ["Bb", "a bit", "Bb", "ccc"])],
)  # fmt: skip
def test_rows_sort_by_what_is_known_of_their_texts(project, bring, shown, sort, found):
    bring(project, [("1", "Bb"), ("2", "a bit"), ("3", "Bb"), ("4", "ccc")])
    assert shown(sort=sort) == found


def test_keeping_facts_name_every_row_with_a_text_and_its_date(project, bring):
    name = 'the "when"'
    bring(
        project, [("1", "a", "x"), ("2", None, "x"), ("3", "b", None)],
        columns=("id", "text", name), dates=[{name: "2024-01-31"}, {name: "2023-01-01"}, None],
    )  # fmt: skip
    assert project.documents.keeping_facts(name) == [(1, 1, 0, "2024-01-31"), (3, 2, 1, "")]
    assert [fact[3] for fact in project.documents.keeping_facts()] == ["", ""]


def _staged(body, digest, place):
    return StagedRow(place, place, None, (body,), None, body, digest, False)
