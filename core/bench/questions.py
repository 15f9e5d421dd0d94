"""Questions in words, as people type them, drawn from the texts that are searched."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

_WORD = re.compile(r"\w+")
_MOST_WORDS = 4
_SAMPLE = 5_000  # texts that questions are drawn from
_PHRASE_EVERY, _RARE_EVERY, _BEGUN_EVERY = 20, 4, 3
_BEGINNING = 3  # letters of a word that is still being typed, at the least


def asked_words(bodies: Sequence[str], count: int, *, seed: int = 0) -> list[str]:
    """Draw `count` questions of 1 to 4 words that stand together in some text.

    Every fourth has a word of the rarest tenth in it, where its text has one; the last word of
    every third is cut to a beginning, and every twentieth is a phrase in quotation marks.
    """
    random = np.random.default_rng(seed)
    some = random.choice(len(bodies), min(_SAMPLE, len(bodies)), replace=False)
    texts = [found for at in some.tolist() if (found := _WORD.findall(bodies[at]))]
    if not texts:
        return []
    known = Counter(word.casefold() for text in texts for word in set(text))
    rare = np.quantile(list(known.values()), 0.1)
    questions = []
    for number in range(count):
        text = texts[int(random.integers(len(texts)))]
        size = min(1 + number % _MOST_WORDS, len(text))
        if number % _PHRASE_EVERY == _PHRASE_EVERY - 1:
            first = int(random.integers(len(text) - size + 1))
            questions.append(f'"{" ".join(text[first : first + size])}"')
            continue
        words = [text[at] for at in random.choice(len(text), size, replace=False).tolist()]
        scarce = [word for word in text if known[word.casefold()] <= rare]
        if number % _RARE_EVERY == 0 and scarce:
            words[0] = scarce[0]
        if number % _BEGUN_EVERY == 0 and len(words[-1]) > _BEGINNING:
            words[-1] = words[-1][: int(random.integers(_BEGINNING, len(words[-1])))]
        questions.append(" ".join(dict.fromkeys(words)))
    return questions
