"""The engine of Samesense: texts in, pairs, groups and decisions out. It knows no window."""

__version__ = "0.1.0"
