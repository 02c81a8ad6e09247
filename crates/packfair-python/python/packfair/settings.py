"""The keyword arguments that functions take beside those in their signatures, with their types.

Written by ``tests/keywords.py`` from what the engine says of its options. ``None`` and ``False`` are as if a keyword were not given.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, TypedDict

__all__ = ["RunSettings", "ExploreSettings", "WhenSettings", "GenerateSettings", "Treatment"]

_Path = str | os.PathLike[str]


class RunSettings(TypedDict, total=False):
    """Keywords of ``packfair.run`` and ``packfair.recipe``.

    recipe : str
        Run the study of a paper, by its id (packfair list): metrics-table-2. The paper sets schedulers,
        estimators, metrics, baseline, cleaning and load; other options override it. On a log of the paper, its
        printed figures follow the results (as table, markdown or latex)
    take_for : str
        Name that the recipe's paper gives to this log, where Packfair does not recognise the log: SDSC-SP2
    script_limit : int
        Most operations that a script may take in one scheduling round, in millions, from 1 to 1000. In a whole
        run it may take a thousand times as many [usually 5]
    what_if : str or several
        Ask what a change of the site would do, by the ids of the questions (packfair list), or all: each is a row
        beside Slurm as configured. Below the table stand the answers and the lines to change. Other changes are
        settings of the scheduler: -s slurm slurm:bf_max_job_test=1000,PriorityWeightAge=4000
    k : float or several
        Factors for every estimator that has none of its own; each factor makes a run: 0.5,1,2 [usually 1]
    max_jobs : int; usually 10000000
        Most jobs that the log may have; each takes at most 260 bytes of memory while the log is read
    max_text : int; usually 8000000000
        Most bytes that the text of the log may have, unpacked
    accept_losses : bool
        Go on where more than one in a hundred records was not understood, with the others alone
    clean : {"metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"}
        Cleaning profile: metrics, fairness, raw; of fairness also fairness-cut (run times cut to the request),
        fairness-raised (requests raised to the run times), and each on the processors used: fairness-used,
        fairness-cut-used, fairness-raised-used [usually metrics]
    unit : {"processors", "nodes", "gpus"}
        What jobs and the machine are counted in: processors, nodes, gpus [usually nodes where most jobs take
        whole ones]
    procs : int
        Processors of the machine, where the log does not say or should not be believed
    machine_plus : str or several
        What if the machine were otherwise, a row each for every run: 'nodes=+20 cell=gpu from=2026-02-03',
        'nodes=-20 from=... until=... announced=... what=kill' (a maintenance window), 'memory=x2',
        'partition=batch cells=cpu+gpu'; behind commas several at once. May be given again (docs/machine.md)
    announced : str
        How long before they begin reservations are known of which a Slurm site's files do not tell when they were
        made: 7d, 12h [usually from the log's first job on]
    since : {"submit", "eligible"}
        Since when a job waits: submit, or eligible (held by nobody and by no dependency any more) [usually
        submit]
    initial : {"held", "ordinary"}
        What becomes of jobs from before the log's first moment, or before from_: held (who runs then holds its
        processors until it ends; neither these nor who waits then count), or ordinary [usually held in a dump of
        accounting that begins with jobs under way]
    split_width : int
        Split up wider jobs into several of N processors at most, so that the area of all jobs stays (DYNP §4)
    shrink : float or several
        Multiply every inter-arrival time: 0.8 is 25 % more load; several make a row each: 1,0.9,0.8 [usually 1]
    feedback : {"off", "stated", "sessions"}
        Whether users react to what becomes of their jobs: off, stated (where the log says which job came after
        which: SWF field 17, Slurm's dependencies, PBS's depend), sessions (there, and wherever they had waited
        for the jobs before) [usually off]
    session : {"arrival", "max"}
        Where a user's session ends: arrival (where submissions are further apart than the gap), max (where one
        comes later than the gap after the last end) [usually arrival]
    gap : int
        The gap between sessions [usually 60 by arrival, 20 by the last end]
    hours : bool
        Users who react keep to the hours of day and week in which they work
    beside_replay : bool
        Each run with users who react also with the log's submit times, so that one sees what a replay says
    more_users : float or several
        So many times as many users, with all that they submitted: 1.2 is a fifth more; several make a row each:
        1,1.2,1.4 [usually 1]
    from_ : str
        Only jobs submitted at this time or later: a date (2026-01-31, "2026-01-31 14:30") on the clock of the
        log's place, or seconds from the log's beginning
    until : str
        Only jobs submitted before this time, given likewise
    users : str or several
        Only jobs of these users, by number or by name: 3,17 or ann,bob
    queues : str or several
        Only jobs of these queues
    partitions : str or several
        Only jobs of these partitions, as one machine
    each_partition : bool
        Take each partition by itself, as a machine of its own: each run has a row for each of them, of partitions
        where some are named, else of all
    correction : {"request", "incremental", "doubling"}
        What becomes of an estimate that runs out: request, incremental, doubling [usually request]
    reestimate : {"papers", "submission", "round"}
        When waiting jobs are estimated: submission, round; as in the papers where nothing is said
    rounds : {"papers", "every", "fitting"}
        Which submissions ask for a scheduling round: every, fitting; as in the papers where nothing is said
    count : {"all", "metrics", "steady"}
        Which jobs count: all, metrics (but those that complete last), steady (without warm-up and drain) [usually
        metrics]
    only : str
        Of these jobs alone, all of them being simulated: user=12, user=ann, queue=1, partition=2, account=3,
        width=64 (and others of its class, 33 to 64), runtime=3600 (1 to 4 h), hour=9, week=5
    bsld : float
        Bound of the bounded slowdown BSLD, seconds [usually 10]
    alpha : float
        Exponent a of PaSF [usually 2]
    weights : str or several
        Priority weights p of jobs in AWF, AWQ and PaSF, as in user=ann:3,queue=2:0.5, of the groups that only
        takes; who is in several weighs their product [usually 1 for all]
    norm : float
        p of the l_p norm of response times, Lp [usually 2]
    sldww : float
        Bound τ of the width-weighted slowdown SLDwW, seconds [usually 60]
    repeats : int
        Repeat all runs on so many further workloads of the same cluster, and give each value and each change with
        the interval that holds 95 % of them
    resample : {"users", "shake", "draws"}
        How these workloads are made: users (users' weeks drawn with replacement), shake (each submission up to
        three minutes earlier or later) [usually users]
    repeat_seed : int
        Seed of their random numbers [usually 1]
    changes : path
        Changes of the machine's nodes over time: a table with the columns
        from,until,nodes,cell,announced,what,every,last (docs/machine.md), or the output of sacctmgr -P show event
    prices : path
        Prices of energy over time: a table with the columns time,price (of a MWh), for the metric cost
        (docs/power.md)
    intensity : path
        Carbon intensities of the grid over time: a table with the columns time,intensity (g CO2 a kWh), for the
        metric co2_kg (docs/power.md)
    partition_procs : str or several
        With each_partition=True, the processors of each partition's machine: short=64,long=512 [usually the most
        that its jobs held at once, by the log's own starts]
    fair_starts : bool
        Also compute fair start times. They give the columns unfairness_strict and unfairness_relaxed, and the
        fair start of each job beside its start
    matters : str; usually everything
        What matters to you: the sentence below the table says which run serves it best, and at what price. One of
        everything, slowdown, response, packing, fairness, longest-wait, or the id of a metric of which more or
        less is better: AWQ
    """

    recipe: str | float | None
    take_for: str | float | None
    script_limit: int | None
    what_if: str | float | Sequence[str | float] | None
    k: float | Sequence[float] | None
    max_jobs: int | None
    max_text: int | None
    accept_losses: bool | None
    clean: Literal["metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"] | None
    unit: Literal["processors", "nodes", "gpus"] | None
    procs: int | None
    machine_plus: str | float | Sequence[str | float] | None
    announced: str | float | None
    since: Literal["submit", "eligible"] | None
    initial: Literal["held", "ordinary"] | None
    split_width: int | None
    shrink: float | Sequence[float] | None
    feedback: Literal["off", "stated", "sessions"] | None
    session: Literal["arrival", "max"] | None
    gap: int | None
    hours: bool | None
    beside_replay: bool | None
    more_users: float | Sequence[float] | None
    from_: str | float | None
    until: str | float | None
    users: str | float | Sequence[str | float] | None
    queues: str | float | Sequence[str | float] | None
    partitions: str | float | Sequence[str | float] | None
    each_partition: bool | None
    correction: Literal["request", "incremental", "doubling"] | None
    reestimate: Literal["papers", "submission", "round"] | None
    rounds: Literal["papers", "every", "fitting"] | None
    count: Literal["all", "metrics", "steady"] | None
    only: str | float | None
    bsld: float | None
    alpha: float | None
    weights: str | float | Sequence[str | float] | None
    norm: float | None
    sldww: float | None
    repeats: int | None
    resample: Literal["users", "shake", "draws"] | None
    repeat_seed: int | None
    changes: _Path | None
    prices: _Path | None
    intensity: _Path | None
    partition_procs: str | float | Sequence[str | float] | None
    fair_starts: bool | None
    matters: str | float | None


class ExploreSettings(TypedDict, total=False):
    """Keywords of ``packfair.explore``.

    keep : str or several
        Bounds that the settings must keep: max_wait<=2d,utilisation>=70%. A time has a unit (s, min, h, d) or is
        in seconds. loss(user)<=10% means: for no user with 20 jobs or more does the mean wait grow by more than
        10 % (and by more than a minute) against the baseline. loss also takes partition, account, queue and the
        other groups of packfair run --by
    runs : int; usually 1000
        Number of settings to try, at most 100000
    seed : int; usually 1
        Seed of the random numbers; the same seed gives the same answer
    share : float; usually 0.5
        Share of the jobs, those submitted first, on which settings are chosen, from 0.5 to 0.8. Of the others,
        the first half selects one of them, and the second confirms it
    repeats : int; usually 40
        Number of workloads that are drawn from the jobs kept for confirmation, from 40 to 1000: a setting is
        recommended only if the 95 % interval from these draws says that it is better
    searches : int; usually 20
        Number of searches on drawn workloads that tell how often the same comes out, where something is
        recommended; an interruption (Ctrl-C) ends them
    families : str or several; usually easy,list
        Families of schedulers to search: easy, list, conservative, pc, dc, dynp, dynp-basic, optimised, classes,
        slurm. The family slurm tries lines of slurm.conf, of the site of slurm if files are given. Add
        multifactor to try its queue orders as well. All families but easy and list take longer; optimised and
        classes take far longer
    formula : str or several
        A queue order of your own to search as well, in which letters stand for numbers:
        '(wait/estimate)^a*processors^b where a=0..4, b=-1..1 by 0.5'. A range without a step has 16 steps; the
        letters a, b, c and d without a range go from 0 to 4. May be given up to eight times
    estimators : str or several; usually requested
        Estimators to try, by their ids (packfair list), perhaps with a factor: requested,last2,hierarchy*1.5
    k : float or several
        Factors to try with every estimator that has none of its own: 0.5,1,2 [usually 1]
    baseline : str; usually easy
        Baseline that the settings are compared with: a scheduler (with requested times), SCHEDULER__ESTIMATOR, or
        as-logged for the log's own schedule
    study : path
        File of a study, as the page saves it (JSON): the log is treated, the machine made, rules set and waits
        measured as there, where no option says otherwise. One that generates its workload needs no LOG
    max_jobs : int; usually 10000000
        Most jobs that the log may have; each takes at most 260 bytes of memory while the log is read
    max_text : int; usually 8000000000
        Most bytes that the text of the log may have, unpacked
    accept_losses : bool
        Go on where more than one in a hundred records was not understood, with the others alone
    clean : {"metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"}
        Cleaning profile: metrics, fairness, raw; of fairness also fairness-cut (run times cut to the request),
        fairness-raised (requests raised to the run times), and each on the processors used: fairness-used,
        fairness-cut-used, fairness-raised-used [usually metrics]
    unit : {"processors", "nodes", "gpus"}
        What jobs and the machine are counted in: processors, nodes, gpus [usually nodes where most jobs take
        whole ones]
    procs : int
        Processors of the machine, where the log does not say or should not be believed
    machine_plus : str or several
        What if the machine were otherwise, a row each for every run: 'nodes=+20 cell=gpu from=2026-02-03',
        'nodes=-20 from=... until=... announced=... what=kill' (a maintenance window), 'memory=x2',
        'partition=batch cells=cpu+gpu'; behind commas several at once. May be given again (docs/machine.md)
    announced : str
        How long before they begin reservations are known of which a Slurm site's files do not tell when they were
        made: 7d, 12h [usually from the log's first job on]
    since : {"submit", "eligible"}
        Since when a job waits: submit, or eligible (held by nobody and by no dependency any more) [usually
        submit]
    initial : {"held", "ordinary"}
        What becomes of jobs from before the log's first moment, or before from_: held (who runs then holds its
        processors until it ends; neither these nor who waits then count), or ordinary [usually held in a dump of
        accounting that begins with jobs under way]
    split_width : int
        Split up wider jobs into several of N processors at most, so that the area of all jobs stays (DYNP §4)
    feedback : {"off", "stated", "sessions"}
        Whether users react to what becomes of their jobs: off, stated (where the log says which job came after
        which: SWF field 17, Slurm's dependencies, PBS's depend), sessions (there, and wherever they had waited
        for the jobs before) [usually off]
    session : {"arrival", "max"}
        Where a user's session ends: arrival (where submissions are further apart than the gap), max (where one
        comes later than the gap after the last end) [usually arrival]
    gap : int
        The gap between sessions [usually 60 by arrival, 20 by the last end]
    hours : bool
        Users who react keep to the hours of day and week in which they work
    from_ : str
        Only jobs submitted at this time or later: a date (2026-01-31, "2026-01-31 14:30") on the clock of the
        log's place, or seconds from the log's beginning
    until : str
        Only jobs submitted before this time, given likewise
    users : str or several
        Only jobs of these users, by number or by name: 3,17 or ann,bob
    queues : str or several
        Only jobs of these queues
    partitions : str or several
        Only jobs of these partitions, as one machine
    correction : {"request", "incremental", "doubling"}
        What becomes of an estimate that runs out: request, incremental, doubling [usually request]
    count : {"all", "metrics", "steady"}
        Which jobs count: all, metrics (but those that complete last), steady (without warm-up and drain) [usually
        metrics]
    only : str
        Of these jobs alone, all of them being simulated: user=12, user=ann, queue=1, partition=2, account=3,
        width=64 (and others of its class, 33 to 64), runtime=3600 (1 to 4 h), hour=9, week=5
    bsld : float
        Bound of the bounded slowdown BSLD, seconds [usually 10]
    alpha : float
        Exponent a of PaSF [usually 2]
    weights : str or several
        Priority weights p of jobs in AWF, AWQ and PaSF, as in user=ann:3,queue=2:0.5, of the groups that only
        takes; who is in several weighs their product [usually 1 for all]
    norm : float
        p of the l_p norm of response times, Lp [usually 2]
    sldww : float
        Bound τ of the width-weighted slowdown SLDwW, seconds [usually 60]
    machine : path or several
        Cells, partitions and calendar of the machine: a TOML file (docs/machine.md), or files of a Slurm site:
        slurm.conf (or what scontrol show node and show partition print), and the output of sacctmgr -P show event
        and scontrol show reservations
    changes : path
        Changes of the machine's nodes over time: a table with the columns
        from,until,nodes,cell,announced,what,every,last (docs/machine.md), or the output of sacctmgr -P show event
    prices : path
        Prices of energy over time: a table with the columns time,price (of a MWh), for the metric cost
        (docs/power.md)
    intensity : path
        Carbon intensities of the grid over time: a table with the columns time,intensity (g CO2 a kWh), for the
        metric co2_kg (docs/power.md)
    slurm : path or several
        Files of the Slurm site that the log is from, for the scheduler slurm, in any order: slurm.conf, or the
        output of scontrol show config, show partition and show node; topology.conf; that of sacctmgr -P show
        assoc, show qos and show event, a script or dump of sacctmgr, that of scontrol show reservations; of
        nodes, partitions, reservations, assoc and qos also that with --json. Lines that are not understood are
        reported
    threads : int
        Number of threads [usually one for each processor]. It does not change the answer
    """

    keep: str | float | Sequence[str | float] | None
    runs: int | None
    seed: int | None
    share: float | None
    repeats: int | None
    searches: int | None
    families: str | float | Sequence[str | float] | None
    formula: str | float | Sequence[str | float] | None
    estimators: str | float | Sequence[str | float] | None
    k: float | Sequence[float] | None
    baseline: str | float | None
    study: _Path | None
    max_jobs: int | None
    max_text: int | None
    accept_losses: bool | None
    clean: Literal["metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"] | None
    unit: Literal["processors", "nodes", "gpus"] | None
    procs: int | None
    machine_plus: str | float | Sequence[str | float] | None
    announced: str | float | None
    since: Literal["submit", "eligible"] | None
    initial: Literal["held", "ordinary"] | None
    split_width: int | None
    feedback: Literal["off", "stated", "sessions"] | None
    session: Literal["arrival", "max"] | None
    gap: int | None
    hours: bool | None
    from_: str | float | None
    until: str | float | None
    users: str | float | Sequence[str | float] | None
    queues: str | float | Sequence[str | float] | None
    partitions: str | float | Sequence[str | float] | None
    correction: Literal["request", "incremental", "doubling"] | None
    count: Literal["all", "metrics", "steady"] | None
    only: str | float | None
    bsld: float | None
    alpha: float | None
    weights: str | float | Sequence[str | float] | None
    norm: float | None
    sldww: float | None
    machine: _Path | Sequence[_Path] | None
    changes: _Path | None
    prices: _Path | None
    intensity: _Path | None
    slurm: _Path | Sequence[_Path] | None
    threads: int | None


class WhenSettings(TypedDict, total=False):
    """Keywords of ``packfair.when``.

    queue : path
        Queue of the moment, as squeue --json, squeue -o '%all', scontrol show job, sacct -P -s R,PD or qstat -f
        -F json prints it. It may also stand among the logs, or in them
    now : str
        Moment of the forecast: a date as 2026-01-31T14:30, or seconds from the log's beginning. What became known
        later is hidden
    scheduler : str
        Scheduler that decides, by its id (packfair list) [usually slurm where slurm is given, else easy]
    estimator : str; usually requested
        Run times that the scheduler is told, by their id (packfair list)
    slurm : path or several
        Files of the Slurm site that the log is from, for the scheduler slurm, in any order: slurm.conf, or the
        output of scontrol show config, show partition and show node; topology.conf; that of sacctmgr -P show
        assoc, show qos and show event, a script or dump of sacctmgr, that of scontrol show reservations; of
        nodes, partitions, reservations, assoc and qos also that with --json. Lines that are not understood are
        reported
    starts : {"logged", "simulated"}
        Where who runs and who waits comes from: logged, as the log tells it, or simulated, as it would be had the
        scheduler decided from the beginning of the log [usually logged; simulated where the log tells no starts,
        and for backtest]
    seed : int; usually 1
        Seed of the random numbers; the same seed gives the same answer
    max_jobs : int; usually 10000000
        Most jobs that the log may have; each takes at most 260 bytes of memory while the log is read
    max_text : int; usually 8000000000
        Most bytes that the text of the log may have, unpacked
    accept_losses : bool
        Go on where more than one in a hundred records was not understood, with the others alone
    clean : {"metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"}
        Cleaning profile: metrics, fairness, raw; of fairness also fairness-cut (run times cut to the request),
        fairness-raised (requests raised to the run times), and each on the processors used: fairness-used,
        fairness-cut-used, fairness-raised-used [usually metrics]
    unit : {"processors", "nodes", "gpus"}
        What jobs and the machine are counted in: processors, nodes, gpus [usually nodes where most jobs take
        whole ones]
    procs : int
        Processors of the machine, where the log does not say or should not be believed
    announced : str
        How long before they begin reservations are known of which a Slurm site's files do not tell when they were
        made: 7d, 12h [usually from the log's first job on]
    since : {"submit", "eligible"}
        Since when a job waits: submit, or eligible (held by nobody and by no dependency any more) [usually
        submit]
    initial : {"held", "ordinary"}
        What becomes of jobs from before the log's first moment, or before from_: held (who runs then holds its
        processors until it ends; neither these nor who waits then count), or ordinary [usually held in a dump of
        accounting that begins with jobs under way]
    split_width : int
        Split up wider jobs into several of N processors at most, so that the area of all jobs stays (DYNP §4)
    feedback : {"off", "stated", "sessions"}
        Whether users react to what becomes of their jobs: off, stated (where the log says which job came after
        which: SWF field 17, Slurm's dependencies, PBS's depend), sessions (there, and wherever they had waited
        for the jobs before) [usually off]
    session : {"arrival", "max"}
        Where a user's session ends: arrival (where submissions are further apart than the gap), max (where one
        comes later than the gap after the last end) [usually arrival]
    gap : int
        The gap between sessions [usually 60 by arrival, 20 by the last end]
    hours : bool
        Users who react keep to the hours of day and week in which they work
    from_ : str
        Only jobs submitted at this time or later: a date (2026-01-31, "2026-01-31 14:30") on the clock of the
        log's place, or seconds from the log's beginning
    until : str
        Only jobs submitted before this time, given likewise
    users : str or several
        Only jobs of these users, by number or by name: 3,17 or ann,bob
    queues : str or several
        Only jobs of these queues
    partitions : str or several
        Only jobs of these partitions, as one machine
    machine : path or several
        Cells, partitions and calendar of the machine: a TOML file (docs/machine.md), or files of a Slurm site:
        slurm.conf (or what scontrol show node and show partition print), and the output of sacctmgr -P show event
        and scontrol show reservations
    changes : path
        Changes of the machine's nodes over time: a table with the columns
        from,until,nodes,cell,announced,what,every,last (docs/machine.md), or the output of sacctmgr -P show event
    prices : path
        Prices of energy over time: a table with the columns time,price (of a MWh), for the metric cost
        (docs/power.md)
    intensity : path
        Carbon intensities of the grid over time: a table with the columns time,intensity (g CO2 a kWh), for the
        metric co2_kg (docs/power.md)
    threads : int
        Number of threads [usually one for each processor]. It does not change the answer
    backtest : int
        Try forecasts at so many moments of the log, and tell how true they were
    arrivals : str; usually drawn
        Who comes after the moment: drawn from the weeks before, none, or again, who really came
    futures : int; usually 200
        Number of futures, from 2 to 10000
    horizon : int; usually 14
        How far futures go, in days; a job that does not start by then starts later
    drain : str
        What if nodes of a Slurm site took no jobs: how many or which, from when on and, if they return, until
        when, as 20@18:00 or n[1-8]@2026-11-23T18:00/2026-11-24T08:00
    calibrate : int
        Moments of the eight weeks before, at which forecasts are tried to calibrate today's; 0: none [usually 60,
        fewer for long queues]
    job : int
        Tell of this job alone, and of it who is before it and what would help
    user : str
        Tell of the jobs of this user alone, by name or number
    """

    queue: _Path | None
    now: str | float | None
    scheduler: str | float | None
    estimator: str | float | None
    slurm: _Path | Sequence[_Path] | None
    starts: Literal["logged", "simulated"] | None
    seed: int | None
    max_jobs: int | None
    max_text: int | None
    accept_losses: bool | None
    clean: Literal["metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"] | None
    unit: Literal["processors", "nodes", "gpus"] | None
    procs: int | None
    announced: str | float | None
    since: Literal["submit", "eligible"] | None
    initial: Literal["held", "ordinary"] | None
    split_width: int | None
    feedback: Literal["off", "stated", "sessions"] | None
    session: Literal["arrival", "max"] | None
    gap: int | None
    hours: bool | None
    from_: str | float | None
    until: str | float | None
    users: str | float | Sequence[str | float] | None
    queues: str | float | Sequence[str | float] | None
    partitions: str | float | Sequence[str | float] | None
    machine: _Path | Sequence[_Path] | None
    changes: _Path | None
    prices: _Path | None
    intensity: _Path | None
    threads: int | None
    backtest: int | None
    arrivals: str | float | None
    futures: int | None
    horizon: int | None
    drain: str | float | None
    calibrate: int | None
    job: int | None
    user: str | float | None


class GenerateSettings(TypedDict, total=False):
    """Keywords of ``packfair.generate``.

    jobs : int
        Number of jobs, from 1 to 1000000
    procs : int
        Number of processors of the machine, from 1 to 1000000
    seed : int; usually 1
        Seed of the random numbers; the same seed gives the same jobs
    clean : {"metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"}
        Cleaning profile: metrics, fairness, raw; of fairness also fairness-cut (run times cut to the request),
        fairness-raised (requests raised to the run times), and each on the processors used: fairness-used,
        fairness-cut-used, fairness-raised-used [usually metrics]
    unit : {"processors", "nodes", "gpus"}
        What jobs and the machine are counted in: processors, nodes, gpus [usually nodes where most jobs take
        whole ones]
    announced : str
        How long before they begin reservations are known of which a Slurm site's files do not tell when they were
        made: 7d, 12h [usually from the log's first job on]
    since : {"submit", "eligible"}
        Since when a job waits: submit, or eligible (held by nobody and by no dependency any more) [usually
        submit]
    initial : {"held", "ordinary"}
        What becomes of jobs from before the log's first moment, or before from_: held (who runs then holds its
        processors until it ends; neither these nor who waits then count), or ordinary [usually held in a dump of
        accounting that begins with jobs under way]
    split_width : int
        Split up wider jobs into several of N processors at most, so that the area of all jobs stays (DYNP §4)
    feedback : {"off", "stated", "sessions"}
        Whether users react to what becomes of their jobs: off, stated (where the log says which job came after
        which: SWF field 17, Slurm's dependencies, PBS's depend), sessions (there, and wherever they had waited
        for the jobs before) [usually off]
    session : {"arrival", "max"}
        Where a user's session ends: arrival (where submissions are further apart than the gap), max (where one
        comes later than the gap after the last end) [usually arrival]
    gap : int
        The gap between sessions [usually 60 by arrival, 20 by the last end]
    hours : bool
        Users who react keep to the hours of day and week in which they work
    from_ : str
        Only jobs submitted at this time or later: a date (2026-01-31, "2026-01-31 14:30") on the clock of the
        log's place, or seconds from the log's beginning
    until : str
        Only jobs submitted before this time, given likewise
    users : str or several
        Only jobs of these users, by number or by name: 3,17 or ann,bob
    queues : str or several
        Only jobs of these queues
    partitions : str or several
        Only jobs of these partitions, as one machine
    alpha : float
        Shape of the Weibull law of times between submissions; the log's own where nothing is said
    beta : float
        Its scale, seconds; the log's own where nothing is said
    p0 : float
        Share of jobs that come together with the one before; the log's own where nothing is said
    """

    jobs: int | None
    procs: int | None
    seed: int | None
    clean: Literal["metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"] | None
    unit: Literal["processors", "nodes", "gpus"] | None
    announced: str | float | None
    since: Literal["submit", "eligible"] | None
    initial: Literal["held", "ordinary"] | None
    split_width: int | None
    feedback: Literal["off", "stated", "sessions"] | None
    session: Literal["arrival", "max"] | None
    gap: int | None
    hours: bool | None
    from_: str | float | None
    until: str | float | None
    users: str | float | Sequence[str | float] | None
    queues: str | float | Sequence[str | float] | None
    partitions: str | float | Sequence[str | float] | None
    alpha: float | None
    beta: float | None
    p0: float | None


class Treatment(TypedDict, total=False):
    """Keywords of ``Log.jobs``: how the log is treated first.

    clean : {"metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"}
        Cleaning profile: metrics, fairness, raw; of fairness also fairness-cut (run times cut to the request),
        fairness-raised (requests raised to the run times), and each on the processors used: fairness-used,
        fairness-cut-used, fairness-raised-used [usually metrics]
    unit : {"processors", "nodes", "gpus"}
        What jobs and the machine are counted in: processors, nodes, gpus [usually nodes where most jobs take
        whole ones]
    procs : int
        Processors of the machine, where the log does not say or should not be believed
    announced : str
        How long before they begin reservations are known of which a Slurm site's files do not tell when they were
        made: 7d, 12h [usually from the log's first job on]
    since : {"submit", "eligible"}
        Since when a job waits: submit, or eligible (held by nobody and by no dependency any more) [usually
        submit]
    initial : {"held", "ordinary"}
        What becomes of jobs from before the log's first moment, or before from_: held (who runs then holds its
        processors until it ends; neither these nor who waits then count), or ordinary [usually held in a dump of
        accounting that begins with jobs under way]
    split_width : int
        Split up wider jobs into several of N processors at most, so that the area of all jobs stays (DYNP §4)
    feedback : {"off", "stated", "sessions"}
        Whether users react to what becomes of their jobs: off, stated (where the log says which job came after
        which: SWF field 17, Slurm's dependencies, PBS's depend), sessions (there, and wherever they had waited
        for the jobs before) [usually off]
    session : {"arrival", "max"}
        Where a user's session ends: arrival (where submissions are further apart than the gap), max (where one
        comes later than the gap after the last end) [usually arrival]
    gap : int
        The gap between sessions [usually 60 by arrival, 20 by the last end]
    hours : bool
        Users who react keep to the hours of day and week in which they work
    from_ : str
        Only jobs submitted at this time or later: a date (2026-01-31, "2026-01-31 14:30") on the clock of the
        log's place, or seconds from the log's beginning
    until : str
        Only jobs submitted before this time, given likewise
    users : str or several
        Only jobs of these users, by number or by name: 3,17 or ann,bob
    queues : str or several
        Only jobs of these queues
    partitions : str or several
        Only jobs of these partitions, as one machine
    columns : str or several
        What the columns of a table hold, where their names do not tell: FIELD=COLUMN. FIELD is one of id, submit,
        eligible, start, end, run, wait, limit, processors, nodes, gpus, tres, user, group, queue, partition,
        name, state, watts, energy. COLUMN is the column's name or its number, from 1; without it, no column holds
        the field. A unit of numbers may follow (limit=walltime:min; ms, s, min, h, d), or a pattern of dates
        (submit=3:%d.%m.%Y %H:%M)
    max_jobs : int; usually 10000000
        Most jobs that the log may have; each takes at most 260 bytes of memory while the log is read
    max_text : int; usually 8000000000
        Most bytes that the text of the log may have, unpacked
    accept_losses : bool
        Go on where more than one in a hundred records was not understood, with the others alone
    """

    clean: Literal["metrics", "fairness", "fairness-cut", "fairness-raised", "fairness-used", "fairness-cut-used", "fairness-raised-used", "raw"] | None
    unit: Literal["processors", "nodes", "gpus"] | None
    procs: int | None
    announced: str | float | None
    since: Literal["submit", "eligible"] | None
    initial: Literal["held", "ordinary"] | None
    split_width: int | None
    feedback: Literal["off", "stated", "sessions"] | None
    session: Literal["arrival", "max"] | None
    gap: int | None
    hours: bool | None
    from_: str | float | None
    until: str | float | None
    users: str | float | Sequence[str | float] | None
    queues: str | float | Sequence[str | float] | None
    partitions: str | float | Sequence[str | float] | None
    columns: str | float | Sequence[str | float] | None
    max_jobs: int | None
    max_text: int | None
    accept_losses: bool | None
