import pytest

from core.corpus import compose, default_template
from core.errors import UserError

COLUMNS = ("id", "title", "body", "a {b} c")


def filled(template, *cells):
    return compose(cells, columns=COLUMNS, text_columns=("title",), template=template)


@pytest.mark.parametrize(
    ("template", "cells", "text"),
    [
        ("{title}\n{body}", ("1", "T", "B"), "T\nB"),
        ("{title}\n{body}", ("1", None, "B"), "B"),
        ("{title}\n{body}", ("1", "T", "  "), "T"),
        ("Title: {title}\nBody: {body}", ("1", "", "B"), "Body: B"),
        ("{id} – {title} – {body}", ("1", "", "B"), "1 – B"),
        ("{id} – {title} – {body}", ("", "T", ""), "T"),
        ("{title} ({body})", ("1", "T", None), "T"),
        ("{title} ({body})", ("1", "T", "B"), "T (B)"),
        ("note\n{title}", ("1", "", ""), ""),
        ("{{{title}}}", ("1", "T", ""), "{T}"),
        ("{{literal}} {title}", ("1", "T", ""), "{literal} T"),
        ("{a {b} c}!", ("1", "", "", "X"), "X!"),
        ("{title}", ("1", "{body}", "B"), "{body}"),
    ],
)
def test_templates_are_filled(template, cells, text):
    assert filled(template, *cells, *[""] * (4 - len(cells))) == text


def test_without_a_template_the_columns_stand_below_each_other():
    text = compose(("1", "T", "B"), columns=COLUMNS[:3], text_columns=("title", "body"))
    assert text == "T\nB"


def test_the_default_template_names_each_column():
    assert default_template(("title", "body")) == "{title}\n{body}"


def test_an_unknown_column_is_told_with_those_there_are():
    with pytest.raises(UserError, match=r'no column "boody".*"title"'):
        filled("{boody}", "1", "T", "B", "")


def test_an_unknown_text_column_is_told():
    with pytest.raises(UserError, match='no column "text"'):
        compose(("1",), columns=("id",), text_columns=("text",))


def test_a_lone_closing_brace_is_told():
    with pytest.raises(UserError, match="closing brace"):
        filled("{title}}", "1", "T", "B", "")


def test_a_column_whose_name_holds_braces_can_be_named():
    composed = compose(["red"], columns=["{x}"], text_columns=["{x}"], template="{{x}}")
    assert composed == "red"


def test_a_template_without_a_column_is_refused():
    with pytest.raises(UserError, match="names no column"):
        compose(["red"], columns=["a"], text_columns=["a"], template="always this")
