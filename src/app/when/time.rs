//! Times of a forecast in words.

use super::state::{ForecastOnPage, drains, schedulers};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Select, When};
use packfair_study::format::{counted, duration};
use packfair_when::{Forecast, WhenTold, Whence};
use packfair_workload::{Seconds, write_moment};

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// An instant so many seconds after the moment, on the clock of the place: `Tue 14:30` within a week, with the date
/// beyond and for the moment itself; without dates, the seconds of the log.
pub fn instant(told: &WhenTold, after: Seconds) -> String {
    let at = told.now + after;
    let Some((date, day)) = told.clock.date(at).zip(told.clock.weekday(at)) else {
        return if after == 0 { format!("{at} s of the log") } else { format!("in {}", duration(after as f64)) };
    };
    let minute = date.get(11..16).unwrap_or_default();
    if after > 0 && after < 6 * 86_400 {
        format!("{} {minute}", DAYS[day % 7])
    } else {
        format!("{} {minute}", date.get(..10).unwrap_or_default())
    }
}

/// A time from now in words.
pub fn ahead(told: &WhenTold, after: Seconds, horizon: Seconds) -> String {
    match after {
        0 => "now".to_owned(),
        after if after >= horizon => format!("later than {}", duration(horizon as f64)),
        after => instant(told, after),
    }
}

/// A chance in percent; never 0 or 100, which nobody knows.
pub fn chance(share: f64) -> String {
    match share {
        share if share < 0.005 => "<\u{2009}1\u{a0}%".to_owned(),
        share if share > 0.995 => ">\u{2009}99\u{a0}%".to_owned(),
        share => format!("{:.0}\u{a0}%", 100.0 * share),
    }
}

/// What is told, in a sentence.
pub fn sentence(told: &WhenTold) -> String {
    let whence = match told.whence {
        Whence::Queue => "",
        Whence::Log => ", as the log tells it",
        Whence::Simulation => ", as the scheduler would have had it",
    };
    let waiting = told.forecasts.len();
    let of_moment = format!(
        "At {}{whence}, {} and {}.",
        instant(told, 0),
        counted(waiting as u64, "job waits", "jobs wait"),
        counted(told.running as u64, "runs", "run")
    );
    let starting: Vec<&Forecast> = told.forecasts.iter().filter(|forecast| !forecast.never).collect();
    let Some(last) = starting.iter().max_by_key(|forecast| forecast.p90) else {
        return of_moment;
    };
    let mut middles: Vec<Seconds> = starting.iter().map(|forecast| forecast.p50).collect();
    middles.sort_unstable();
    let half = middles[(middles.len() - 1) / 2];
    let half = if half == 0 { "at once".to_owned() } else { format!("within {}", duration(half as f64)) };
    if waiting == 1 {
        return format!("{of_moment} It is expected to start {half}.");
    }
    format!(
        "{of_moment} Half of them are expected to start {half}; job {} may take longest, until {}.",
        last.job,
        ahead(told, last.p90, packfair_when::HORIZON)
    )
}

/// The common time axis of all jobs. Near times have more room than far ones: a place goes by the root of the time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Seconds from now.
    pub end: Seconds,
}

impl Axis {
    /// Where an axis may end or have a tick, seconds from now; beyond the last, each week.
    const MARKS: [Seconds; 14] = [
        600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400, 172_800, 259_200, 345_600, 604_800, 1_209_600,
        2_419_200,
    ];

    /// Most bands fit, and a few very long ones do not make all others tiny.
    pub fn of(told: &WhenTold) -> Self {
        let mut ends: Vec<Seconds> =
            told.forecasts.iter().filter(|forecast| !forecast.never).map(|forecast| forecast.p90).collect();
        ends.sort_unstable();
        let most = ends.get((ends.len().saturating_sub(1)) * 9 / 10).copied().unwrap_or(0);
        let end = Self::MARKS.into_iter().find(|&mark| mark >= most);
        Axis { end: end.unwrap_or((most + 604_799) / 604_800 * 604_800) }
    }

    /// The place of a time, as a share of the axis.
    pub fn place(self, at: Seconds) -> f64 {
        (at as f64 / self.end as f64).clamp(0.0, 1.0).sqrt()
    }

    /// The times that have a label, in their order: those that leave each other room.
    pub fn ticks(self) -> Vec<Seconds> {
        // a label begins at its tick, but that of the end ends there
        let (room, room_before_end) = (0.2, 0.4);
        let mut ticks = vec![self.end];
        let mut free_to = 1.0 - room_before_end;
        for mark in Self::MARKS.into_iter().rev().filter(|&mark| mark < self.end) {
            if (room..=free_to).contains(&self.place(mark)) {
                ticks.push(mark);
                free_to = self.place(mark) - room;
            }
        }
        ticks.push(0);
        ticks.reverse();
        ticks
    }
}

// The form: whose rules decide, and which moment is now.

/// The steps of the slider over the log.
const STEPS: i64 = 1_000;

#[component]
pub fn MomentForm(outlook: ForecastOnPage) -> impl IntoView {
    let app = expect_context::<App>();
    let ForecastOnPage { scheduler, moment, drain, told, share, .. } = outlook;
    let (scheduler, moment, drain) = (RwSignal::from(scheduler), RwSignal::from(moment), RwSignal::from(drain));
    let (told, share) = (RwSignal::from(told), RwSignal::from(share));
    let options = Signal::derive(move || {
        schedulers(app)
            .iter()
            .map(|policy| ChoiceOption::new(policy.to_string(), policy.name(), ""))
            .collect::<Vec<_>>()
    });
    let chosen = Signal::derive(move || {
        let first = || schedulers(app).first().map(ToString::to_string).unwrap_or_default();
        scheduler.get().unwrap_or_else(first)
    });
    let can_drain = Memo::new(move |_| {
        let chosen = chosen.get();
        schedulers(app).iter().any(|policy| policy.to_string() == chosen && drains(app, policy))
    });
    // the moment that was forecast last, for the form while another is being computed
    let last = RwSignal::new(None);
    Effect::new(move |_| {
        if let Some(told) = told.get() {
            last.set(Some((told.now, told.span, told.clock.clone())));
        }
    });
    let shown = move || {
        last.with(|last| last.as_ref().map(|(now, _, clock)| write_moment(Some(clock), *now))).unwrap_or_default()
    };
    let place = move || {
        last.with(|last| {
            let (now, (first, end), _) = last.as_ref()?;
            Some((now - first) * STEPS / (end - first).max(1))
        })
        .unwrap_or(STEPS)
    };
    let take = move |text: String| {
        if text != shown() {
            moment.set(text);
        }
    };
    let slide = move |event| {
        let Ok(place) = event_target_value(&event).parse::<i64>() else { return };
        let text = last.with_untracked(|last| {
            let (_, (first, end), clock) = last.as_ref()?;
            Some(write_moment(Some(clock), first + (end - first) * place / STEPS))
        });
        if let Some(text) = text {
            moment.set(text);
        }
    };
    let of_queue = Memo::new(move |_| told.with(|told| told.as_ref().is_some_and(|told| told.whence == Whence::Queue)));
    let cancel = move |_| ForecastOnPage::of_page().stop(app);
    let percent = move || format!("{:.0}", 100.0 * share.get().unwrap_or(0.0));
    view! {
        <div class="row when-form">
            <Select
                label="Scheduler"
                help="Whose rules decide who starts"
                options=options
                value=chosen
                on_change=move |id: String| scheduler.set(Some(id))
            />
            {typed(
                "Now",
                "when-moment",
                "The moment from which is forecast: what became known later is hidden. Empty: the moment of the queue or, \
                 without one, one at which many wait",
                "",
                Signal::derive(shown),
                Callback::new(take),
            )}
            <When when=move || can_drain.get()>
                {typed(
                    "Drained",
                    "when-drain",
                    "Nodes that take no jobs: how many, or which, and from when on, as 20@18:00 or \
                     n[1-8]@2026-11-23T18:00/2026-11-24T08:00. Empty: none",
                    "20@18:00",
                    drain.into(),
                    Callback::new(move |text| drain.set(text)),
                )}
            </When>
            <label class="field when-slider">
                <span class="field-label">"Through the log"</span>
                <input
                    type="range"
                    min="0"
                    max=STEPS.to_string()
                    data-testid="when-slider"
                    aria-valuetext=shown
                    prop:value=move || place().to_string()
                    on:change=slide
                />
            </label>
            <When when=move || of_queue.get()>
                <button
                    class="button button-quiet"
                    type="button"
                    data-testid="when-drop-queue"
                    on:click=move |_| app.drop_queue()
                >
                    "Leave out the queue"
                </button>
            </When>
            <When when=move || share.with(Option::is_some)>
                <span class="when-progress">
                    <progress max="100" value=percent aria-label="Futures drawn"></progress>
                    <button class="button" type="button" data-testid="when-cancel" on:click=cancel>"Cancel"</button>
                </span>
            </When>
        </div>
    }
}

/// A field of the form for a text, which is taken without blanks around it.
fn typed(
    label: &'static str,
    id: &'static str,
    hint: &'static str,
    placeholder: &'static str,
    value: Signal<String>,
    on_change: Callback<String>,
) -> impl IntoView {
    view! {
        <div class="field when-moment" data-hint=hint>
            <label class="field-label" for=id>{label}</label>
            <span class="field-input">
                <input
                    id=id
                    data-testid=id
                    type="text"
                    autocomplete="off"
                    spellcheck="false"
                    placeholder=placeholder
                    prop:value=move || value.get()
                    on:change=move |event| on_change.run(event_target_value(&event).trim().to_owned())
                />
            </span>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_when::{MachineCourse, WhenAsked};
    use packfair_workload::{Clock, Header};
    use wasm_bindgen_test::wasm_bindgen_test;

    fn forecast(job: i64, p50: Seconds, p90: Seconds) -> Forecast {
        Forecast {
            job,
            user: None,
            p10: 0,
            p50,
            p90,
            within_1h: 0.5,
            within_4h: 0.5,
            within_24h: 1.0,
            waited: 0,
            processors: 1,
            limit: 60,
            by_limits: None,
            reason: String::new(),
            never: false,
        }
    }

    fn told(forecasts: Vec<Forecast>) -> WhenTold {
        let run = packfair_study::Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
        let labels = vec![("UnixStartTime".to_owned(), "1769900400".to_owned())];
        WhenTold {
            asked: WhenAsked::of(run, packfair_study::Rules::default()),
            now: 0,
            clock: Clock::of(&Header { labels }, 0, 1),
            span: (0, 1),
            whence: Whence::Queue,
            notes: Vec::new(),
            futures: 1,
            test: None,
            running: 1,
            forecasts,
            course: MachineCourse::default(),
        }
    }

    #[wasm_bindgen_test]
    fn times_are_told_on_the_clock_of_the_place() {
        let told = told(vec![forecast(7, 3_600, 7_200), forecast(8, 10_800, 90_000)]);
        assert_eq!(instant(&told, 0), "2026-01-31 23:00");
        assert_eq!(instant(&told, 3_600), "Sun 00:00");
        assert_eq!(instant(&told, 30 * 86_400), "2026-03-02 23:00");
        assert_eq!(ahead(&told, 0, 100), "now");
        assert!(sentence(&told).contains("2 jobs wait and 1 runs"), "{}", sentence(&told));
        assert!(sentence(&told).contains("job 8 may take longest, until Mon 00:00"), "{}", sentence(&told));
        assert_eq!(
            (chance(0.0), chance(0.5), chance(1.0)),
            ("<\u{2009}1\u{a0}%".into(), "50\u{a0}%".into(), ">\u{2009}99\u{a0}%".into())
        );
    }

    #[wasm_bindgen_test]
    fn the_axis_holds_most_bands_and_its_labels_leave_each_other_room() {
        let mut all: Vec<Forecast> = (1..=20).map(|job| forecast(job, 600, 3_000 * job)).collect();
        all.push(forecast(99, 600, 1_000_000));
        let axis = Axis::of(&told(all));
        assert_eq!((axis.end, axis.ticks()), (86_400, vec![0, 7_200, 28_800, 86_400]));
        assert_eq!((axis.place(21_600), axis.place(1_000_000)), (0.5, 1.0));
        assert_eq!(Axis::of(&told(Vec::new())).end, 600);
        for most in [1, 700, 5_000, 100_000, 400_000, 3_000_000, 90_000_000] {
            let axis = Axis::of(&told(vec![forecast(1, most, most)]));
            let places: Vec<f64> = axis.ticks().into_iter().map(|tick| axis.place(tick)).collect();
            assert!(axis.end >= most && places.windows(2).all(|pair| pair[1] - pair[0] > 0.199), "{most}: {places:?}");
        }
    }
}
