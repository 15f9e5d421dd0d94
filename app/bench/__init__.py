"""How quick the window is: its real widgets measured without a screen, for `samesense bench`."""
