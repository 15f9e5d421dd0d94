"""Augmented SBERT over a folder of kept steps: measure teachers, label, look, learn.

Each step leaves what it found in the folder, so that a kill or a cancel costs no more than the step
that was under way; `files` is the command's way, `project` the window's.
"""
