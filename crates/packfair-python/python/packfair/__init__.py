"""Compare batch-job schedulers of HPC clusters on a workload log.

The same engine as the page's and the command line's, with the same results bit for bit.
"""

from ._packfair import __version__, engine_digest

__all__ = ["__version__", "engine_digest"]
