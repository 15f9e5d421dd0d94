"""The pages of the window, one per thing an analyst does."""
