import re

from core.bench.made import made_texts
from core.bench.questions import asked_words

TEXTS = made_texts(300)


def test_questions_are_drawn_from_the_texts():
    held = " ".join(TEXTS).casefold()
    for question in asked_words(TEXTS, 60):
        assert all(word.casefold() in held for word in re.findall(r"\w+", question))


def test_questions_have_one_to_four_words():
    sizes = {len(re.findall(r"\w+", question)) for question in asked_words(TEXTS, 100)}
    assert sizes == {1, 2, 3, 4}


def test_every_twentieth_question_is_a_phrase_of_some_text():
    questions = asked_words(TEXTS, 100)
    phrases = [question.strip('"') for question in questions if question.startswith('"')]
    assert len(phrases) == 5
    bare = [" ".join(re.findall(r"\w+", text)) for text in TEXTS]
    assert all(any(phrase in text for text in bare) for phrase in phrases)


def test_the_seed_decides_the_questions():
    assert asked_words(TEXTS, 40, seed=3) == asked_words(TEXTS, 40, seed=3)
    assert asked_words(TEXTS, 40, seed=3) != asked_words(TEXTS, 40, seed=4)


def test_without_a_word_there_is_no_question():
    assert asked_words(["...", "!"], 10) == []
