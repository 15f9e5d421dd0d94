"""How fast this machine does the work, beside peers and its own limits; `samesense bench`.

Importing this package is cheap; each bench loads its libraries when it runs.
"""
