"""How the window looks and speaks: tokens, palette, icons and words."""
