"""Compare batch-job schedulers of HPC clusters on a workload log.

The same engine as the page's and the command line's, with the same results bit for bit::

    import packfair

    log = packfair.read("sacct.txt")
    results = packfair.run(log, ["as-logged", "easy", "easy-sjbf"], "requested", baseline="easy")
    print(results)

``packfair.catalogue()`` names schedulers, estimators, metrics and recipes. Errors are ``ValueError``, with a sentence that says
what is wrong, where, and what to do.
"""

from ._packfair import (
    Findings,
    Log,
    Results,
    Table,
    __version__,
    catalogue,
    engine_digest,
    explore,
    generate,
    read,
    recipe,
    run,
    study,
    when,
)

__all__ = [
    "Findings",
    "Log",
    "Results",
    "Table",
    "__version__",
    "catalogue",
    "engine_digest",
    "explore",
    "generate",
    "read",
    "recipe",
    "run",
    "study",
    "when",
]
