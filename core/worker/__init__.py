"""One of the two doors of the engine: jobs for a window, in a process of their own."""
