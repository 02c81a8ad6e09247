//! A small workload with real queues, and everything that can be charted of it.

use packfair::chart::kinds::{self, Charted};
use packfair::chart::{AxisClock, Figure, Ink};
use packfair::metric::Metric;
use packfair::study::query::{BoxPart, GanttBox};
use packfair::study::table::Mode;
use packfair::study::{Baseline, Run, RunReport, Source, Study};
use packfair::workload::{Header, JobId, Machine, MachineSource, Request, Seconds, Summary, Workload};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Jobs of the usual kind: many small and short, few wide and long, fewer at night.
pub fn workload(jobs: u32, processors: u32) -> Workload {
    let labels = [("UnixStartTime", "843471188"), ("TimeZoneString", "Europe/Stockholm")];
    let header = Header { labels: labels.iter().map(|(l, v)| ((*l).to_owned(), (*v).to_owned())).collect() };
    let mut workload = Workload::empty("sample", Machine { processors, source: MachineSource::Given }, header);
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut now: f64 = 0.0;
    for i in 0..jobs {
        let hour = (now / 3600.0) % 24.0;
        let rate = 1.0 + 0.8 * ((hour - 14.0) / 24.0 * std::f64::consts::TAU).cos();
        now += -rng.random::<f64>().max(1e-9).ln() * 420.0 / rate;
        let width = 2f64.powf(rng.random::<f64>() * f64::from(processors).log2() * 0.85).round() as u32;
        let run = (10f64.powf(0.5 + 4.2 * rng.random::<f64>())) as Seconds;
        let limit = (run as f64 * (1.0 + 9.0 * rng.random::<f64>().powi(3))) as Seconds;
        let user = (rng.random::<f64>().powi(2) * 30.0) as i32;
        let request = Request {
            number: i64::from(i) + 1,
            submit: now as Seconds,
            processors: width.clamp(1, processors),
            limit: limit.max(1),
            user,
            group: -1,
            executable: -1,
            queue: -1,
            partition: -1,
        };
        workload.push(request, run, -1, i);
    }
    workload.sort();
    workload
}

/// Some schedulers, and a sweep over k.
pub fn runs() -> Vec<Run> {
    let run = |scheduler: &str, estimate: &str| Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
    let mut runs: Vec<Run> = ["justbf", "easy", "saf-justbf", "laf-justbf", "easy-sjbf", "fcfs", "sjf-aggressive"]
        .iter()
        .map(|scheduler| run(scheduler, "actual"))
        .collect();
    for scheduler in ["justbf", "easy", "saf-justbf"] {
        for k in ["0.5", "0.7", "0.85", "1.2", "1.5", "2"] {
            runs.push(run(scheduler, &format!("actual*{k}")));
        }
    }
    runs
}

/// Every kind of figure of a study except the Gantt chart, with a name.
pub fn figures(workload: &Workload, reports: &[RunReport]) -> Vec<(Figure, String)> {
    let all: Vec<Charted<'_>> =
        reports.iter().enumerate().map(|(ink, report)| Charted { report, ink: Ink::Series(ink) }).collect();
    let few: Vec<Charted<'_>> = all.iter().copied().take(4).collect();
    let plain: Vec<Charted<'_>> = all.iter().copied().filter(|c| c.report.run.estimate.k == 1.0).collect();
    let summary = Summary::of(workload);
    let clock = &AxisClock::of(&summary.clock);
    let unit = summary.counting.unit;
    let mut study = Study::on(Source::Trace { name: String::new(), fingerprint: packfair::workload::Fingerprint(0) });
    study.baseline = reports.first().map_or(Baseline::None, |r| Baseline::Run(r.run.clone()));
    let mut figures = vec![
        kinds::area_distribution(&summary.jobs_by_area, &summary.area_by_area, unit),
        kinds::cwa(&few, Some(&summary.area_by_area), unit),
        kinds::waits(&few, None),
        kinds::responses(&few, None),
        kinds::slowdowns(&few, None),
        kinds::queue_lengths(&few),
        kinds::queue_jobs(&few, clock),
        kinds::queue_width(&few, clock, workload.machine.processors, unit),
        kinds::utilisation(&few, clock, unit),
        kinds::tradeoff(&plain, &study, Metric::P2sf, Mode::Change),
        kinds::widths(&summary),
        kinds::run_times(&summary),
        kinds::limits(&summary),
        kinds::overestimations(&summary),
        kinds::hours(&summary),
        kinds::weekdays(&summary),
    ];
    figures.extend(kinds::power(&few, &study, clock));
    figures.extend(kinds::sweeps(&all, &[Metric::Bsld, Metric::Awf], None));
    figures
        .into_iter()
        .enumerate()
        .map(|(i, figure)| {
            let name = format!("{i:02}-{}", figure.kind);
            (figure, name)
        })
        .collect()
}

/// The boxes of a schedule, lowest free processors first.
pub fn boxes(workload: &Workload, starts: &[Seconds]) -> Vec<GanttBox> {
    let mut free_at = vec![i64::MIN; workload.machine.processors as usize];
    let mut order: Vec<JobId> = workload.jobs().collect();
    order.sort_by_key(|job| starts[job.index()]);
    let mut boxes = Vec::new();
    for job in order {
        let (start, request) = (starts[job.index()], workload.request(job));
        let span = (start, start + workload.run(job));
        let free: Vec<usize> = (0..free_at.len()).filter(|&p| free_at[p] <= start).collect();
        for &processor in free.iter().take(request.processors as usize) {
            free_at[processor] = span.1;
            let wait = start - request.submit;
            match boxes.last_mut() {
                Some(GanttBox { job: last, first, count, .. })
                    if *last == job && *first + *count == processor as u32 =>
                {
                    *count += 1;
                }
                _ => boxes.push(GanttBox {
                    job,
                    number: request.number,
                    user: request.user,
                    span,
                    first: processor as u32,
                    count: 1,
                    wait,
                    part: BoxPart::Ran,
                    counts: true,
                }),
            }
        }
    }
    boxes
}
