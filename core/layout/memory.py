"""How much memory a map and its clusters take, told before the work begins."""

_LINK_BYTES = 50  # of a link while it is weighed and walked; 45 were measured at 110,000 texts
_NEIGHBOUR_BYTES = 8  # a row and a cosine
_TEXT_BYTES = 500  # coordinates, the tree of clusters and what is held beside them


def bytes_needed(texts: int, width: int, *, neighbours: int) -> int:
    """Memory for vectors of `width` float32 numbers, their graph, both layouts and clusters.

    Each text is linked to at most so many others, and as many to it.
    """
    links = 2 * neighbours * _LINK_BYTES + (neighbours + 1) * _NEIGHBOUR_BYTES
    return texts * (4 * width + links + _TEXT_BYTES)


def texts_that_fit(free_bytes: int, width: int, *, neighbours: int) -> int:
    """How many texts `free_bytes` of memory suffice for."""
    return max(free_bytes, 0) // bytes_needed(1, width, neighbours=neighbours)
