"""Read files of judged examples and say what they were taken for."""

from core.examples.reading.files import ExampleFile, read_examples
from core.examples.reading.line_files import read_label_first, read_line_files

__all__ = ["ExampleFile", "read_examples", "read_label_first", "read_line_files"]
