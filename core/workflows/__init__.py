"""One user wish per file; the only place where disk and arithmetic meet."""
