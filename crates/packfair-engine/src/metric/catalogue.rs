//! The catalogue of metrics.

use super::class_course::confusion;
use super::evaluation::Evaluation;
use super::fairness::Fair;
use super::noted::Noted;
use super::{About, Aim, counted, fairness, noted};
use crate::model::NoteId;
use packfair_base::catalogue::UnknownId;
use packfair_base::machine::Machine;
use packfair_workload::UnitText;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Makes from the rows the enumeration of metrics, their order, their descriptions, and their computation.
macro_rules! metrics {
    ($(
        $(#[doc = $doc:literal])+
        $metric:ident = $id:literal, $name:literal, $source:literal, $unit:literal, $aim:ident
        help $help:literal
        formula $formula:literal
        $value:expr;
    )+) => {
        /// A metric of a schedule. Less is better unless [`Aim`] says otherwise.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Metric {
            $($(#[doc = $doc])+ $metric,)+
            /// A metric that a scheduler reported as a note.
            Noted(Noted),
        }

        impl Metric {
            /// The metrics that follow from a schedule alone, without a scheduler's notes.
            pub const OWN: &'static [Metric] = &[$(Metric::$metric),+];

            /// The metric's description for a person.
            pub fn about(self) -> About {
                match self {
                    $(Metric::$metric => About {
                        id: $id,
                        name: $name,
                        help: UnitText::new($help),
                        formula: $formula,
                        unit: $unit,
                        aim: Aim::$aim,
                        source: $source,
                    },)+
                    Metric::Noted(noted) => noted.about(),
                }
            }

            /// The metric's value, which may be infinite or NaN; `None` where it is not defined for the schedule.
            pub(super) fn value(self, evaluation: &Evaluation) -> Option<f64> {
                let value: fn(&Evaluation) -> Option<f64> = match self {
                    $(Metric::$metric => $value,)+
                    Metric::Noted(noted) => return evaluation.noted(noted),
                };
                value(evaluation)
            }
        }
    };
}

// Each row: id, short name, source, unit, better direction; then what it is, its formula, its value.
metrics! {
    /// Average bounded slowdown.
    Bsld = "BSLD", "BSLD", "METRICS §II", "", Low
        help "average bounded slowdown"
        formula "mean max(1, F / max(D, τ))"
        |m| m.sums().bsld();
    /// Average response time.
    Af = "AF", "AF", "METRICS §II", "s", Low
        help "average response time"
        formula "mean F"
        |m| m.sums().average_response();
    /// Average wait.
    Aq = "AQ", "AQ", "METRICS §II", "s", Low
        help "average wait"
        formula "mean Q"
        |m| m.sums().average_wait();
    /// Area-weighted average response time.
    Awf = "AWF", "AWF", "METRICS §III", "s", Low
        help "area-weighted response time: packing efficiency"
        formula "Σ r D F / Σ r D"
        |m| m.area_weighted_response();
    /// Area-weighted average wait.
    Awq = "AWQ", "AWQ", "METRICS §III", "s", Low
        help "area-weighted wait"
        formula "AWF − Σ r D² / Σ r D"
        |m| m.area_weighted_wait();
    /// P⁰SF.
    P0sf = "P0SF", "P⁰SF", "METRICS §IV", "s", Low
        help "{unit}-seconds' average of F: fairness, a = 0"
        formula "½ Σ r (F² − Q²) / Σ r (F − Q)"
        |m| m.priority_weighted_response(0.0);
    /// P¹SF.
    P1sf = "P1SF", "P¹SF", "METRICS §IV", "s", Low
        help "fairness, a = 1"
        formula "⅔ Σ r (F³ − Q³) / Σ r (F² − Q²)"
        |m| m.priority_weighted_response(1.0);
    /// P²SF.
    P2sf = "P2SF", "P²SF", "METRICS §IV", "s", Low
        help "fairness, a = 2: long waits weigh more"
        formula "¾ Σ r (F⁴ − Q⁴) / Σ r (F³ − Q³)"
        |m| m.priority_weighted_response(2.0);
    /// P³SF.
    P3sf = "P3SF", "P³SF", "METRICS §IV", "s", Low
        help "fairness, a = 3"
        formula "⅘ Σ r (F⁵ − Q⁵) / Σ r (F⁴ − Q⁴)"
        |m| m.priority_weighted_response(3.0);
    /// PᵃSF with a of the [`Measure`](crate::metric::Measure).
    Pasf = "PaSF", "PᵃSF", "METRICS §IV", "s", Low
        help "fairness with a chosen exponent a"
        formula "(a+1)/(a+2) Σ r (F^(a+2) − Q^(a+2)) / Σ r (F^(a+1) − Q^(a+1))"
        |m| m.priority_weighted_response(m.measure.alpha);
    /// Loss of capacity.
    Loc = "LOC", "LOC", "METRICS §VII", "", Low
        help "loss of capacity: {units} idle while jobs wait"
        formula "∫ min(width waiting, idle) dt / (span R)"
        |m| m.loss_of_capacity();
    /// Makespan.
    Makespan = "makespan", "Makespan", "CP §3.1", "s", Low
        help "first submission to last completion"
        formula "max c − min s"
        |m| Some(m.totals?.makespan());
    /// Utilisation over the makespan.
    Utilisation = "utilisation", "Utilisation", "CP §3.1", "", High
        help "share of {unit} time in use, over the makespan; runs that were cut off count as use"
        formula "Σ r D / (R makespan)"
        |m| m.totals?.utilisation(&m.killed, &m.available);
    /// Utilisation between the first kept completion and the last submission.
    UtilisationClipped = "utilisation_clipped", "Utilisation, steady", "CP §3.1", "", High
        help "share of {unit} time in use between the first 1 % of completions and the last submission"
        formula "busy / (R window)"
        |m| m.steady_utilisation();
    /// Longest wait.
    MaxWait = "max_wait", "Max wait", "METRICS §VII", "s", Low
        help "longest wait"
        formula "max Q"
        |m| m.sums().longest_wait();
    /// l_p norm of the response times, p of the [`Measure`](crate::metric::Measure).
    Lp = "Lp", "l_p norm", "METRICS §VII", "s", Low
        help "l_p norm of the response times"
        formula "(Σ F^p)^(1/p)"
        |m| m.norm();
    /// Average response time weighted by width.
    Artww = "ARTwW", "ARTwW", "DYNP §5.1", "s", Low
        help "response time weighted by width"
        formula "Σ r F / Σ r"
        |m| m.sums().width_weighted_response();
    /// Slowdown weighted by width.
    Sldww = "SLDwW", "SLDwW", "DYNP §5.1", "", Low
        help "slowdown weighted by width"
        formula "Σ r max(F, τ) / max(D, τ) / Σ r"
        |m| m.sums().width_weighted_slowdown();
    /// R² of the estimates made at submission.
    R2 = "R2", "R²", "METRICS Table IV", "", High
        help "of the estimates made at submission"
        formula "1 − Σ (E − D)² / Σ (D − mean D)²"
        |m| m.estimates().r_squared();
    /// Mean absolute error of the estimates made at submission.
    Mae = "MAE", "MAE", "METRICS §VI", "s", Low
        help "mean absolute error of the estimates"
        formula "mean |E − D|"
        |m| m.estimates().mean_absolute_error();
    /// Share of jobs whose estimate at submission was below the run time.
    UnderRate = "under_rate", "Under-est.", "METRICS §VI", "", Low
        help "share of jobs that ran longer than estimated"
        formula "jobs with E < D / jobs"
        |m| m.estimates().under_rate();
    /// Number of corrections of estimates.
    Corrections = "corrections", "Corrections", "METRICS §VI", "", None
        help "estimates corrected while the job ran"
        formula "count"
        |m| m.estimates().corrections();
    /// Average unweighted unfairness by fair share.
    UnfairShare = "unfair_share", "Equal share less got", "FAIRNESS §3.2 eq. 1", "proc s", Low
        help "what an equal share of the {units} in use would have given a job, less what it got"
        formula "mean [∫ min(busy / active jobs, r) dt − r D]"
        |m| m.fair_share_means().unweighted;
    /// Average weighted unfairness by fair share.
    UnfairShareWeighted = "unfair_share_weighted", "Share by width less got", "FAIRNESS §3.2 eq. 2", "proc s", Low
        help "the same, with shares in proportion to r: 0 by definition where all jobs count"
        formula "mean [∫ min(r busy / Σ active r, r) dt − r D]"
        |m| m.fair_share_means().weighted;
    /// Average of what jobs lack of their weighted fair share.
    UnfairShareShort = "unfair_share_short", "Share by width, lacking", "after FAIRNESS §3.2 eq. 2", "proc s", Low
        help "what a job lacks of its share in proportion to r, where it lacks any; the measure without \
        a bound adds up to 0 over all jobs, so improvements are stated for this one"
        formula "mean max(0, ∫ min(r busy / Σ active r, r) dt − r D)"
        |m| m.fair_share_means().short;
    /// Average strict unfairness by fair start time.
    StrictUnfairness = "unfairness_strict", "Strict unfairness", "FAIRNESS §3.1", "s", Low
        help "how much later than fair jobs start: had nobody come after them; computed where it is a column, and takes \
        longer than the run"
        formula "mean max(0, b − strict fair start)"
        |m| m.unfairness(Fair::Strict);
    /// Average relaxed unfairness by fair start time.
    RelaxedUnfairness = "unfairness_relaxed", "Relaxed unfairness", "FAIRNESS §3.1", "s", Low
        help "the same, where the job may not start before the others queued at its arrival have"
        formula "mean max(0, b − relaxed fair start)"
        |m| m.unfairness(Fair::Relaxed);
    /// Jobs that started later than promised.
    Late = "late", "Late", "FAIRNESS §2", "jobs", Low
        help "jobs that started later than guaranteed at their submission"
        formula "jobs with b > promise"
        |m| fairness::later_than_promised(m.counted(), m.schedule.notes.of_jobs(NoteId::PROMISE));
    /// Number of guaranteed starts that were replaced by later ones.
    Remade = "remade", "Remade", "FAIRNESS §2", "", Low
        help "guaranteed starts that had become impossible and were made anew"
        formula "count"
        |m| m.schedule.notes.count(NoteId::REMADE).filter(|_| !m.all().is_empty());
    /// Executions that were killed.
    Kills = "kills", "Kills", "CLASSIFY §5.2", "", Low
        help "executions that were cut off: the job waited again and ran from its beginning"
        formula "count of killed runs"
        |m| m.can_kill().then(|| counted::kills(&m.killed));
    /// Jobs that were killed at least once.
    JobsKilled = "jobs_killed", "Jobs killed", "CLASSIFY §5.2", "jobs", Low
        help "jobs that were killed at least once"
        formula "count of jobs"
        |m| m.can_kill().then(|| counted::jobs_killed(&m.killed));
    /// Processor-seconds of killed executions.
    LostArea = "lost_processor_seconds", "Lost work", "CLASSIFY §5.2", "proc s", Low
        help "{unit}-seconds of runs that were cut off"
        formula "Σ over killed runs r (end − start)"
        |m| m.can_kill().then(|| counted::lost_area(&m.killed) as f64);
    /// Processor-seconds of killed executions, as a share of those of all completed executions.
    LostShare = "lost_share", "Lost share", "after CLASSIFY §5.2", "", Low
        help "{unit}-seconds of runs that were cut off, as a share of those of all runs that completed"
        formula "Σ over killed runs r (end − start) / Σ r D"
        |m| m.totals?.lost_share(&m.killed).filter(|_| m.can_kill());
    /// Utilisation without killed executions.
    UsefulUtilisation = "utilisation_useful", "Useful utilisation", "after CLASSIFY §5.2", "", High
        help "{units} in use over the makespan, without runs that were cut off"
        formula "Σ r D / (R makespan)"
        |m| m.totals?.useful_utilisation(&m.available).filter(|_| m.can_kill());
    /// Share of jobs whose class was predicted correctly.
    ClassAccuracy = "class_accuracy", "Class accuracy", "CLASSIFY §4.3", "", High
        help "share of jobs classified as they turned out; the first week does not count"
        formula "(small and classified as small + large and classified as large) / jobs"
        |m| confusion(m.all(), m.schedule)?.accuracy();
    /// Share of the jobs classified as small that were small.
    ClassPrecision = "class_precision", "Class precision", "CLASSIFY §4.3", "", High
        help "share of the jobs classified as small that turned out small"
        formula "small and classified as small / classified as small"
        |m| confusion(m.all(), m.schedule)?.precision();
    /// Share of the small jobs that were classified as small.
    ClassRecall = "class_recall", "Class recall", "CLASSIFY §4.3", "", High
        help "share of the small jobs that were classified as small"
        formula "small and classified as small / small"
        |m| confusion(m.all(), m.schedule)?.recall();
    /// Share of all jobs that were small but classified as large.
    FalseLarge = "class_false_large", "False large", "CLASSIFY §4.3.2", "", Low
        help "small jobs that were classified as large, as a share of all jobs; the first week does not count"
        formula "small and classified as large / jobs"
        |m| confusion(m.all(), m.schedule)?.false_large_share();
    /// Share of all jobs that were large but classified as small.
    FalseSmall = "class_false_small", "False small", "CLASSIFY §4.3.2", "", Low
        help "large jobs that were classified as small, as a share of all jobs; the first week does not count"
        formula "large and classified as small / jobs"
        |m| confusion(m.all(), m.schedule)?.false_small_share();
    /// Share of jobs that start within ten minutes of their logged start.
    NearLog = "near_log", "As in the log", "SWF field 3", "", None
        help "share of jobs that start within ten minutes of their logged start: how closely the simulation follows what \
        the machine did"
        formula "jobs with |Q − logged Q| ≤ 600 s / jobs"
        |m| m.distance().map(|distance| distance.near);
    /// Median difference between a job's wait and its logged wait.
    LogGap = "log_gap", "Off the log", "SWF field 3", "s", None
        help "median difference between a job's wait and its logged wait"
        formula "median |Q − logged Q|"
        |m| m.distance().map(|distance| distance.median_gap);
    /// 90th percentile of the difference between a job's wait and its logged wait.
    LogGap90 = "log_gap_p90", "Off the log, 90 %", "SWF field 3", "s", None
        help "90 % of jobs wait at most this much longer or shorter than logged"
        formula "90th percentile of |Q − logged Q|"
        |m| m.distance().map(|distance| distance.p90_gap);
    /// Rank correlation of waits and logged waits.
    LogRank = "log_rank", "Rank corr.", "SWF field 3", "", None
        help "whether the jobs that wait long are those that waited long in the log: Spearman's rank \
        correlation of both waits"
        formula "corr(rank Q, rank logged Q)"
        |m| m.distance()?.rank_correlation;
    /// Share of jobs that start within five minutes of their logged start.
    NearerLog = "near_log_5min", "Within 5 min", "SWF field 3", "", None
        help "share of jobs that start within five minutes of their logged start"
        formula "jobs with |Q − logged Q| ≤ 300 s / jobs"
        |m| m.distance().map(|distance| distance.nearer);
    /// Jobs that completed within the log's span.
    JobsDone = "jobs_done", "Jobs done", "Shmueli and Feitelson 2009", "jobs", High
        help "jobs that completed by the log's last submission: where users react, throughput is a result"
        formula "jobs with c ≤ last s of the log"
        |m| Some(m.throughput()?.jobs as f64);
    /// Processor-seconds of the jobs that completed within the log's span.
    WorkDone = "work_done", "Work done", "Shmueli and Feitelson 2009", "proc s", High
        help "{unit} time of the jobs that completed by the log's last submission"
        formula "Σ r D over jobs with c ≤ last s of the log"
        |m| Some(m.throughput()?.area);
    /// Sessions of reacting users all of whose jobs completed within the log's span.
    SessionsDone = "sessions_done", "Sessions done", "Zakay and Feitelson 2014", "sessions", High
        help "sessions of users who react that were over by the log's last submission"
        formula "sessions with every c ≤ last s of the log"
        |m| Some(m.throughput()?.sessions? as f64);
    /// Mean length of a session.
    SessionLength = "session_length", "Session", "Zakay and Feitelson 2014", "s", Low
        help "mean length of the sessions that were over by the log's last submission: from the first submission to the \
        last completion"
        formula "mean of max c − min s over these sessions"
        |m| m.throughput()?.session_s;
    /// Time from the first submission to the last, where users react.
    LivedSpan = "lived_span", "Last job after", "Shmueli and Feitelson 2009", "s", Low
        help "how long it took users who react until they had submitted all that the log holds"
        formula "max s − min s"
        |m| m.throughput()?.lived_s;
    /// Utilisation of GPUs.
    UtilisationGpus = "utilisation_gpus", "GPUs used", "", "", High
        help "share of the machine's GPU time that jobs held, over the makespan, of what there was at the time"
        formula "held / ∫ there dt"
        |m| Some(m.machine_use()?.of_whole(Machine::GPUS)?.utilisation);
    /// Utilisation of memory.
    UtilisationMemory = "utilisation_memory", "Memory used", "", "", High
        help "share of the machine's memory that jobs held, over the makespan, of what there was at the time"
        formula "held / ∫ there dt"
        |m| Some(m.machine_use()?.of_whole(Machine::MEMORY)?.utilisation);
    /// Loss of GPUs.
    LocGpus = "LOC_gpus", "LOC of GPUs", "", "", Low
        help "GPUs that idle while jobs wait that ask for them"
        formula "∫ min(asked for by who waits, idle) dt / ∫ there dt"
        |m| Some(m.machine_use()?.of_whole(Machine::GPUS)?.loss);
    /// Loss of memory.
    LocMemory = "LOC_memory", "LOC of memory", "", "", Low
        help "memory that idles while jobs wait that ask for it"
        formula "∫ min(asked for by who waits, idle) dt / ∫ there dt"
        |m| Some(m.machine_use()?.of_whole(Machine::MEMORY)?.loss);
    /// Idle node-hours before windows.
    IdleBefore = "idle_before_windows", "Idle before windows", "", "node h", Low
        help "node-hours that idle before nodes go, for as long as the longest limit: of as many nodes as go"
        formula "Σ over windows ∫ min(idle nodes, nodes that go) dt"
        |m| m.of_windows(|window| window.idle);
    /// Executions killed by outages.
    OutageKills = "outage_kills", "Killed by outages", "", "jobs", Low
        help "executions that were killed as nodes went"
        formula "killed as a window begins"
        |m| m.of_windows(|window| window.killed as f64);
    /// Work lost by outages.
    OutageLost = "outage_lost", "Lost by outages", "", "proc s", Low
        help "{unit} time of executions that were killed as nodes went"
        formula "Σ r (killed at − b)"
        |m| m.of_windows(|window| window.lost);
    /// Mean of the longest 5 % of the waits.
    WorstWaits5 = "wait_worst_5", "Worst 5 % of waits", "FAIRNESS §5", "s", Low
        help "mean of the longest 5 % of waits: whether some pay for the others"
        formula "mean of the ⌈n / 20⌉ greatest Q"
        |m| m.worst_waits(5);
    /// Mean of the longest 1 % of the waits.
    WorstWaits1 = "wait_worst_1", "Worst 1 % of waits", "FAIRNESS §5", "s", Low
        help "mean of the longest 1 % of waits"
        formula "mean of the ⌈n / 100⌉ greatest Q"
        |m| m.worst_waits(1);
    /// Jain's fairness index of the bounded slowdowns.
    Jain = "jain", "Jain's index", "METRICS §VII", "", High
        help "whether jobs are slowed down alike: 1 where all are, 1 / n where one job is and no other; it says nothing of \
        how much"
        formula "(Σ b)² / (n Σ b²), b = max(1, F / max(D, τ))"
        |m| m.sums().jain();
    /// Average of what jobs lack of their equal fair share.
    UnfairShareLacking = "unfair_share_lacking", "Equal share, lacking", "after FAIRNESS §3.2 eq. 1", "proc s", Low
        help "what a job lacks of an equal share of the {units} in use, where it lacks any: what others got beyond theirs \
        does not make it good"
        formula "mean max(0, ∫ min(busy / active jobs, r) dt − r D)"
        |m| m.fair_share_means().unweighted_short;
    /// Average fair turnaround time.
    FairTurnaround = "fair_turnaround", "Fair turnaround", "FAIRNESS §5", "s", Low
        help "response times, had nobody come after: what unfairness adds to; computed where it is a column, and takes \
        longer than the run"
        formula "mean (strict fair start − s + D)"
        |m| m.fair_turnaround(|fair| &fair.strict);
    /// Average fair slowdown.
    FairSlowdown = "fair_slowdown", "Fair slowdown", "FAIRNESS §5", "", Low
        help "bounded slowdowns, had nobody come after"
        formula "mean max(1, (strict fair start − s + D) / max(D, τ))"
        |m| m.fair_slowdown(|fair| &fair.strict);
    /// Number of calls of the scheduler.
    Rounds = "rounds", "Rounds", "CP §5.4", "", None
        help "scheduling rounds: how often the scheduler was called; --timing tells how long one takes"
        formula "count"
        |m| Some(m.schedule.rounds as f64).filter(|&rounds| rounds > 0.0);
    /// Variance of the utilisation over time.
    UtilisationVariance = "utilisation_variance", "Variance of util.", "CP §3.1", "", None
        help "how much the share of {units} in use varies over the makespan"
        formula "mean over time of (busy / R − utilisation)²"
        |m| m.course().variance;
    /// Average unfairness by hybrid fair start time.
    HybridUnfairness = "unfairness_hybrid", "Hybrid unfairness", "FAIRNESS §5", "s", Low
        help "how much later than fair jobs start: had {units} been given to who waits in the order of arrival, as they are \
        expected to become free; computed where it is a column"
        formula "mean max(0, b − hybrid fair start)"
        |m| m.lateness(|fair| &fair.hybrid);
    /// Average unfairness by scheduler-independent fair start time.
    IndependentUnfairness = "unfairness_independent", "Indep. unfairness", "FAIRNESS §5", "s", Low
        help "the same, had Conservative scheduled all until a job came, and nobody overtaken it or another from then on: the \
        fair start is the same whatever the scheduler, so that shorter waits count as fairer"
        formula "mean max(0, b − scheduler-independent fair start)"
        |m| m.lateness(|fair| &fair.independent);
    /// Average fair turnaround time by scheduler-independent fair start time.
    IndependentTurnaround = "fair_turnaround_independent", "Indep. fair turnaround", "FAIRNESS §5", "s", None
        help "response times, had jobs started at their scheduler-independent fair starts: the same whatever the scheduler"
        formula "mean (scheduler-independent fair start − s + D)"
        |m| m.fair_turnaround(|fair| &fair.independent);
    /// Average fair slowdown by scheduler-independent fair start time.
    IndependentSlowdown = "fair_slowdown_independent", "Indep. fair slowdown", "FAIRNESS §5", "", None
        help "bounded slowdowns, had jobs started at their scheduler-independent fair starts"
        formula "mean max(1, (scheduler-independent fair start − s + D) / max(D, τ))"
        |m| m.fair_slowdown(|fair| &fair.independent);
    /// Energy of the machine.
    Energy = "energy_kwh", "Energy", "SPARS 2025", "kWh", Low
        help "energy of all nodes, from the first submission to the last completion"
        formula "∫ P dt"
        |m| Some(m.machine_power()?.energy);
    /// Energy of the nodes that jobs hold.
    EnergyOfJobs = "energy_jobs_kwh", "Energy of jobs", "SPARS 2025", "kWh", Low
        help "energy of the nodes that jobs hold: as logged where the log tells it, else by the watts of the machine"
        formula "Σ ∫ P of job dt"
        |m| Some(m.power()?.jobs);
    /// Energy of idle nodes.
    EnergyOfIdle = "energy_idle_kwh", "Energy of idle nodes", "SPARS 2025", "kWh", Low
        help "energy of nodes, or shares of them, that are on and that nobody holds"
        formula "energy − jobs − off − boots"
        |m| Some(m.machine_power()?.idle());
    /// Energy of nodes that are off.
    EnergyOfOff = "energy_off_kwh", "Energy of nodes off", "Slurm power saving guide", "kWh", None
        help "energy of nodes that are switched off"
        formula "∫ nodes off × watts dt"
        |m| Some(m.machine_power()?.off);
    /// Energy of nodes that boot.
    EnergyOfBoots = "energy_boots_kwh", "Energy of boots", "Slurm power saving guide", "kWh", Low
        help "energy of nodes that jobs hold which have not begun, because nodes are switched on for them"
        formula "∫ nodes that boot × idle watts dt"
        |m| Some(m.machine_power()?.boots);
    /// Energy of killed executions.
    EnergyOfKilled = "energy_killed_kwh", "Energy of killed runs", "RAPS", "kWh", Low
        help "energy of the nodes of executions that were killed"
        formula "Σ over killed ∫ P of job dt"
        |m| Some(m.power()?.killed);
    /// Mean power.
    MeanPower = "mean_kw", "Mean power", "RAPS", "kW", Low
        help "mean power, from the first submission to the last completion"
        formula "energy / makespan"
        |m| Some(m.power()?.mean);
    /// Greatest power.
    PeakPower = "peak_kw", "Peak power", "RAPS", "kW", Low
        help "greatest power at any time"
        formula "max P"
        |m| Some(m.power()?.peak);
    /// Energy for each processor-hour of work.
    EnergyPerWork = "energy_per_work", "Energy of work", "SPARS 2025", "Wh / proc h", Low
        help "energy for each {unit} hour of work done"
        formula "energy / Σ r D"
        |m| m.energy_per_work();
    /// Cost of the energy.
    Cost = "cost", "Cost", "RAPS", "", Low
        help "cost of the energy, in the currency of the prices that were given for a MWh"
        formula "∫ P price dt"
        |m| m.power()?.cost;
    /// Carbon dioxide.
    Carbon = "co2_kg", "CO₂", "RAPS", "kg", Low
        help "carbon dioxide, by the given carbon intensity of the grid"
        formula "∫ P intensity dt"
        |m| m.power()?.carbon;
    /// Time above the cap of power.
    OverCap = "over_cap", "Above the cap", "RAPS", "s", Low
        help "time during which more power was drawn than the cap allows"
        formula "∫ [P > cap] dt"
        |m| Some(m.machine_power()?.cap?.over);
    /// The most that was drawn above the cap.
    MostOverCap = "over_cap_kw", "Most above the cap", "RAPS", "kW", Low
        help "the most by which the cap of power was exceeded"
        formula "max (P − cap)"
        |m| Some(m.machine_power()?.cap?.most_over);
    /// Energy that was not used under the cap.
    UnderCap = "under_cap_kwh", "Not used under the cap", "RAPS", "kWh", None
        help "energy that could have been used under the cap of power"
        formula "∫ max(0, cap − P) dt"
        |m| Some(m.machine_power()?.cap?.unused);
}

impl Metric {
    /// All metrics, in the order in which the page offers them.
    pub const ALL: &'static [Metric] = &{
        let mut all = [Metric::Bsld; Metric::OWN.len() + noted::COUNT];
        let mut i = 0;
        while i < all.len() {
            all[i] = match i.checked_sub(Metric::OWN.len()) {
                None => Metric::OWN[i],
                Some(line) => Metric::Noted(Noted(line as u8)),
            };
            i += 1;
        }
        all
    };

    /// The metrics that need fair start times, which cost far more than the run itself.
    pub const OF_FAIR_STARTS: [Metric; 8] = [
        Metric::StrictUnfairness,
        Metric::RelaxedUnfairness,
        Metric::FairTurnaround,
        Metric::FairSlowdown,
        Metric::HybridUnfairness,
        Metric::IndependentUnfairness,
        Metric::IndependentTurnaround,
        Metric::IndependentSlowdown,
    ];

    /// The metrics in [`Metric::OF_FAIR_STARTS`] that measure strict and relaxed unfairness.
    pub const UNFAIRNESS: [Metric; 2] = [Metric::StrictUnfairness, Metric::RelaxedUnfairness];

    /// The metrics that measure how far a schedule is from the log's own. Their change relative to a baseline says
    /// nothing.
    pub const OF_LOG: [Metric; 5] =
        [Metric::NearLog, Metric::LogGap, Metric::LogGap90, Metric::LogRank, Metric::NearerLog];

    /// The metrics in [`Metric::OF_LOG`] that a table shows beside the log's own schedule.
    pub const BESIDE_LOG: [Metric; 4] = [Metric::NearerLog, Metric::LogGap, Metric::LogGap90, Metric::LogRank];

    /// The metrics of machines with cells or a calendar. A machine that is only a number of processors has none of
    /// them.
    pub const OF_CELLS: [Metric; 7] = [
        Metric::UtilisationGpus,
        Metric::UtilisationMemory,
        Metric::LocGpus,
        Metric::LocMemory,
        Metric::IdleBefore,
        Metric::OutageKills,
        Metric::OutageLost,
    ];

    /// The metrics of energy and power, which are there where watts are known.
    pub const OF_POWER: [Metric; 14] = [
        Metric::Energy,
        Metric::EnergyOfJobs,
        Metric::EnergyOfIdle,
        Metric::EnergyOfOff,
        Metric::EnergyOfBoots,
        Metric::EnergyOfKilled,
        Metric::MeanPower,
        Metric::PeakPower,
        Metric::EnergyPerWork,
        Metric::Cost,
        Metric::Carbon,
        Metric::OverCap,
        Metric::MostOverCap,
        Metric::UnderCap,
    ];

    /// The metrics in [`Metric::OF_POWER`] that a table shows where nobody chose its columns.
    pub const BESIDE_POWER: [Metric; 5] =
        [Metric::Energy, Metric::EnergyOfJobs, Metric::PeakPower, Metric::Cost, Metric::Carbon];

    /// The metrics that are a share of all jobs.
    pub const SHARES_OF_JOBS: [Metric; 3] = [Metric::UnderRate, Metric::NearLog, Metric::NearerLog];

    /// What the metric is in plain words, where its name is a symbol: "Response time" of AF. `None` where the name is plain.
    pub fn plain_name(self) -> Option<&'static str> {
        Some(match self {
            Metric::Bsld => "Slowdown",
            Metric::Af => "Response time",
            Metric::Aq => "Wait",
            Metric::Awf => "Packing",
            Metric::Awq => "Packing, waits",
            Metric::P0sf | Metric::P1sf | Metric::P2sf | Metric::P3sf | Metric::Pasf => "Fairness",
            Metric::Loc => "Lost capacity",
            Metric::Lp => "Norm of waits",
            Metric::Artww => "Response, by width",
            Metric::Sldww => "Slowdown, by width",
            Metric::R2 => "Fit of estimates",
            Metric::Mae => "Error of estimates",
            _ => return None,
        })
    }

    /// The default columns.
    pub const DEFAULT_COLUMNS: &'static [Metric] =
        &[Metric::Bsld, Metric::Af, Metric::Awf, Metric::P2sf, Metric::Loc, Metric::Utilisation, Metric::MaxWait];
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.about().id)
    }
}

impl FromStr for Metric {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        let found = Metric::ALL.iter().find(|m| m.about().id == id).copied();
        found.ok_or_else(|| UnknownId::entry("metric", id, Metric::ALL.iter().map(|m| m.about().id)))
    }
}

packfair_base::serde_as_text!(Metric);

impl Metric {
    /// The metrics of how good the estimates made at submission were.
    pub const OF_ESTIMATES: [Metric; 3] = [Metric::R2, Metric::Mae, Metric::UnderRate];

    /// Whether the metric counts something, so that its values are whole.
    pub fn is_count(self) -> bool {
        match self {
            Metric::Noted(noted) => noted.is_count(),
            Metric::Corrections
            | Metric::Kills
            | Metric::JobsKilled
            | Metric::Late
            | Metric::Remade
            | Metric::Rounds => true,
            _ => false,
        }
    }

    /// The first reported metric; reported metrics come after all others.
    pub const FIRST_NOTED: Metric = Metric::Noted(Noted::FIRST);

    /// The metric of a note, or of a part of it; `part` is empty for the note itself.
    pub fn of_note(note: NoteId, part: &str) -> Option<Metric> {
        Noted::of_note(note, part).map(Metric::Noted)
    }
}

impl Evaluation<'_> {
    /// The values of all metrics that are defined for this schedule.
    pub fn values(&self) -> BTreeMap<Metric, f64> {
        // All of these are computed in one pass, before one of them is asked for alone.
        self.course();
        BTreeMap::from_iter(Metric::ALL.iter().filter_map(|&metric| Some((metric, self.value(metric)?))))
    }

    /// The value of a metric; `None` where it is not defined for this schedule.
    pub fn value(&self, metric: Metric) -> Option<f64> {
        metric.value(self).filter(|value| value.is_finite())
    }
}
