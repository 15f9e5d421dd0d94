"""The mean of a backbone's own token table: its vectors before anything is read in context.

It stands to a transformer as the mean of word vectors stands to it in Sentence-BERT
(arXiv 1908.10084, section 4.1), with no other weights than the backbone's own.
"""

from collections.abc import Sequence

import numpy as np

from core.encoders.loading import EncoderParts
from core.encoders.tokenizing import TextTokenizer
from core.evaluation.similarities import Vectors
from core.progress import Progress, Steps


def token_table(parts: EncoderParts) -> Vectors:
    """Return the rows of the input embeddings, (vocabulary, width)."""
    table: Vectors = parts.model.get_input_embeddings().weight.detach().float().cpu().numpy()
    return table


def token_table_vectors(
    table: Vectors, tokenizer: TextTokenizer, texts: Sequence[str]
) -> Steps[Vectors]:
    """Return (n, width): the mean row of each text's tokens, repetitions counted.

    Special tokens, the folder's prompt and unknown tokens are left out; a text without any other
    has a vector of zeros. Texts are read whole, however long.
    """
    found = np.zeros((len(texts), table.shape[1]), np.float32)
    done = 0
    for some in tokenizer.tokenize(texts):
        yield Progress("Averaging tokens", done, len(texts), "texts")
        for tokens in some:
            own = tokens[tokenizer.prompt_tokens :]
            rows, counts = np.unique(own[own != tokenizer.unknown], return_counts=True)
            if len(rows):
                found[done] = np.average(table[rows].astype(np.float64), axis=0, weights=counts)
            done += 1
    return found
