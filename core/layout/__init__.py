"""Coordinates from a neighbour graph: few dimensions for clusters, two for the map."""

from core.layout.aligning import align
from core.layout.epochs import usual_epochs
from core.layout.graphs import FuzzyGraph, fuzzy_graph
from core.layout.laying import lay_out, place_new

__all__ = ["FuzzyGraph", "align", "fuzzy_graph", "lay_out", "place_new", "usual_epochs"]
