"""Memory that this process freed: kept for the next forward pass, or given back."""

import ctypes
import os
import sys

# Of glibc's malloc.h. What glibc does by itself, mapping arrays of some megabytes anew for every
# layer, cost 6 to 16 % of the time of all-MiniLM-L6-v2: the system clears each page again.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_MAPPED_FROM = 32 << 20  # bytes; the most that glibc takes, larger arrays still come and go alone
_KEPT = 256 << 20  # bytes at the end of the heap that stay with this process


def keep_freed_memory() -> bool:
    """Let this process keep up to 256 MB that it has freed; False where that is not to be had.

    Doing it twice is harmless. It is glibc's to decide elsewhere: on other systems, and where a
    person has set its thresholds in the environment, nothing happens.
    """
    if sys.platform != "linux" or any(name.startswith("MALLOC_") for name in os.environ):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):  # another C library
        return False
    return bool(mallopt(_M_MMAP_THRESHOLD, _MAPPED_FROM) and mallopt(_M_TRIM_THRESHOLD, _KEPT))


def give_freed_memory_back() -> bool:
    """Give the system all memory that this process keeps without using it; False if it keeps it.

    The resident size is then what is in use, which is what a measurement begins with.
    """
    if sys.platform != "linux":
        return False
    try:
        return bool(ctypes.CDLL(None).malloc_trim(0))
    except (AttributeError, OSError):  # another C library
        return False
