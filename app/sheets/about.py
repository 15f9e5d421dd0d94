"""What the about dialog says of this program."""

from PySide6.QtWidgets import QWidget

from app.widgets.about_dialog import AboutDialog, Licence
from core import __version__

_PARTS = (
    Licence("PySide6 (Qt)", "LGPL-3.0", "The window"),
    Licence("pyqtgraph", "MIT", "The histogram"),
    Licence("PyTorch", "BSD-3-Clause", "Computing vectors"),
    Licence("Transformers", "Apache-2.0", "Reading encoders"),
    Licence("all-MiniLM-L6-v2", "Apache-2.0", "The default encoder"),
    Licence("NumPy, SciPy", "BSD-3-Clause", "Numbers"),
    Licence("SQLite, sqlite-utils", "Public domain, Apache-2.0", "The project file"),
    Licence("Apache Arrow", "Apache-2.0", "Parquet files"),
    Licence("charset-normalizer", "MIT", "Guessing encodings"),
    Licence("python-calamine", "MIT", "Reading spreadsheets"),
    Licence("XlsxWriter", "BSD-2-Clause", "Writing spreadsheets"),
    Licence("RapidFuzz", "MIT", "Comparing words"),
    Licence("python-dateutil", "Apache-2.0, BSD-3-Clause", "Reading dates"),
    Licence("platformdirs, filelock, psutil", "MIT, Unlicense, BSD-3-Clause", "This machine"),
)


def about_dialog(parent: QWidget) -> AboutDialog:
    """The dialog, not yet open."""
    return AboutDialog(__version__, _PARTS, parent)
