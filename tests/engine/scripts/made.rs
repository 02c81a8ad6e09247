//! Random scripts: of statements that make sense together, and damaged ones; and formulas in both languages.

use proptest::prelude::*;

/// An expression for a number in a script, from the view, the actions and the current job.
fn number() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "0",
        "1",
        "7",
        "2.5",
        "-3",
        "1e300",
        "9223372036854775807",
        "view.now",
        "view.free",
        "view.processors",
        "view.queue_length",
        "actions.free",
        "job.wait",
        "job.submit",
        "job.estimate",
        "job.processors",
        "job.area",
        "job.requested",
        "job.id",
        "job.user_usage",
        "this.n",
        "view.hour",
        "profile.free_at(view.now + 3)",
        "profile.earliest(job)",
    ])
    .prop_map(str::to_owned);
    leaf.prop_recursive(2, 8, 2, |inner| {
        let pair = (inner.clone(), prop::sample::select(vec!["+", "-", "*", "/", "%"]), inner.clone());
        prop_oneof![
            4 => pair.prop_map(|(a, sign, b)| format!("({a} {sign} {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("min({a}, {b})")),
            1 => inner.clone().prop_map(|a| format!("sqrt({a})")),
            1 => (inner.clone(), inner).prop_map(|(a, b)| format!("(if {a} < {b} {{ {a} }} else {{ {b} }})")),
        ]
    })
}

fn condition() -> impl Strategy<Value = String> {
    let compared = (number(), prop::sample::select(vec!["<", "<=", ">", "==", "!="]), number())
        .prop_map(|(a, sign, b)| format!("{a} {sign} {b}"));
    let fits = prop::sample::select(vec![
        "job.processors <= actions.free",
        "profile.fits(job, view.now)",
        "view.waiting.has(job)",
        "job.id in started",
        "!(job.id in started)",
    ])
    .prop_map(str::to_owned);
    prop_oneof![2 => compared, 3 => fits]
}

/// An expression for several jobs in a script.
fn jobs() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "job.estimate",
        "-job.area",
        "job.processors",
        "job.wait * -1",
        "0.0 / 0.0",
        "job.user_usage",
        "job.id % 3",
    ]);
    prop_oneof![
        3 => Just("view.waiting".to_owned()),
        1 => Just("view.running".to_owned()),
        2 => key.clone().prop_map(|key| format!("view.waiting.sort_by(|job| {key})")),
        1 => key.prop_map(|key| format!("view.waiting.filter(|job| {key} > 4)")),
        1 => (-2..9_i32).prop_map(|count| format!("view.waiting.skip({count})")),
    ]
}

fn statement() -> impl Strategy<Value = String> {
    let simple = prop_oneof![
        // statements that are always allowed
        6 => Just("if job.processors <= actions.free && view.waiting.has(job) && !(job.id in started) { actions.start(job); started.push(job.id); }".to_owned()),
        2 => Just("if job.start != () && job.start < view.now && this.kills < 5 { this.kills += 1; actions.kill(job); return; }".to_owned()),
        2 => number().prop_map(|at| format!("if this.wakes < 20 {{ this.wakes += 1; actions.wake_at(view.now + 1 + abs({at}) % 50); }}")),
        2 => Just("if profile.fits(job, view.now) && !(job.id in held) { profile.reserve(job, view.now); held.push(job.id); }".to_owned()),
        1 => number().prop_map(|number| format!("this.n = {number};")),
        1 => number().prop_map(|number| format!("if view.waiting.has(job) {{ actions.keep(job, {number}); }}")),
        1 => number().prop_map(|number| format!("print({number});")),
        1 => prop::sample::select(vec!["continue;", "return;", "break;"]).prop_map(str::to_owned),
        // statements that may be wrong
        1 => prop::sample::select(vec![
            "actions.start(job);", "actions.kill(job);", "profile.release(job);", "profile.reserve(job, view.now);",
            "job = view.waiting.last;", "throw \"enough\";", "help(job, 3);", "view.waiting[99].id;",
            "actions.note(\"promise\", job, view.now);", "actions.wake_at(job.submit);", "this = 3;",
        ]).prop_map(str::to_owned),
    ];
    simple.prop_recursive(3, 24, 4, |inner| {
        let several = prop::collection::vec(inner, 1..4).prop_map(|all| all.join("\n"));
        prop_oneof![
            2 => (condition(), several.clone()).prop_map(|(condition, then)| format!("if {condition} {{\n{then}\n}}")),
            3 => (jobs(), several.clone()).prop_map(|(jobs, then)| format!("for job in {jobs} {{\n{then}\n}}")),
            1 => several.prop_map(|then| format!("try {{\n{then}\n}} catch (why) {{ print(why); }}")),
        ]
    })
}

/// A script that can be parsed. At its end most start what fits, so that their simulations end.
pub fn scripts() -> impl Strategy<Value = String> {
    let statements = || prop::collection::vec(statement(), 0..4).prop_map(|all| all.join("\n"));
    let begins = "if this.n == () { this.n = 0; this.wakes = 0; this.kills = 0; }";
    (statements(), statements(), prop::bool::weighted(0.9)).prop_map(move |(first, second, ends)| {
        let end = "for job in view.waiting { if job.processors <= actions.free && !(job.id in started) { actions.start(job); started.push(job.id); } }";
        let end = if ends { end } else { "" };
        format!(
            "fn help(job, depth) {{ if depth > 0 {{ help(job, depth - 1); }} }}\n\
             fn completed(job, view) {{ this.n = job.id; }}\n\
             fn round(view, actions) {{\n{begins}\nlet profile = view.profile();\nlet started = [];\nlet held = [];\n\
             for job in view.waiting {{\n{first}\n}}\nlet job = view.waiting.first;\nif job != () {{\n{second}\n}}\n{end}\n}}\n"
        )
    })
}

/// A script with a part removed, doubled, or moved.
pub fn spoiled() -> impl Strategy<Value = String> {
    (scripts(), any::<(prop::sample::Index, prop::sample::Index, prop::sample::Index)>(), 0..4_u8).prop_map(
        |(text, (from, length, to), way)| {
            let letters: Vec<char> = text.chars().collect();
            let from = from.index(letters.len());
            let until = (from + 1 + length.index(12)).min(letters.len());
            let (mut rest, part) = ([&letters[..from], &letters[until..]].concat(), &letters[from..until]);
            let at = to.index(rest.len().max(1)).min(rest.len());
            match way {
                0 => {}
                1 => drop(rest.splice(at..at, part.iter().copied())),
                2 => drop(rest.splice(from..from, part.iter().chain(part).copied())),
                _ => drop(rest.splice(at..at, "\"`{(ä".chars())),
            }
            rest.into_iter().collect()
        },
    )
}

/// The same real number as a formula and as a script write it, from the current job and the view.
pub fn formulas() -> impl Strategy<Value = (String, String)> {
    let known = [
        ("wait", "job.wait"),
        ("submit", "job.submit"),
        ("now", "view.now"),
        ("estimate", "job.estimate"),
        ("requested", "job.requested"),
        ("processors", "job.processors"),
        ("area", "job.area"),
        ("user_usage", "job.user_usage"),
        ("account_usage", "job.account_usage"),
        ("queue_length", "view.queue_length"),
        ("free", "view.free"),
        ("hour", "view.hour"),
        ("weekday", "view.weekday"),
        ("0", "0"),
        ("3", "3"),
        ("0.25", "0.25"),
    ];
    let leaf =
        prop::sample::select(known.to_vec()).prop_map(|(one, other)| (one.to_owned(), format!("to_float({other})")));
    leaf.prop_recursive(3, 12, 4, |inner| {
        let pair = (inner.clone(), prop::sample::select(vec!["+", "-", "*", "/"]), inner.clone());
        let of_one = prop::sample::select(vec!["sqrt", "ln", "floor", "abs", "exp"]);
        let compared = (inner.clone(), prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]), inner.clone());
        prop_oneof![
            4 => pair.prop_map(|(a, sign, b)| (format!("({}{sign}{})", a.0, b.0), format!("({} {sign} {})", a.1, b.1))),
            1 => (of_one, inner.clone()).prop_map(|(name, a)| (format!("{name}({})", a.0), format!("{name}({})", a.1))),
            1 => inner.clone().prop_map(|a| (format!("(-({}))", a.0), format!("(-({}))", a.1))),
            1 => inner.clone().prop_map(|a| (format!("pow({},0.5)", a.0), format!("pow({}, 0.5)", a.1))),
            2 => (compared, inner.clone(), inner).prop_map(|((a, sign, b), then, other)| (
                format!("if({}{sign}{},{},{})", a.0, b.0, then.0, other.0),
                format!("(if {} {sign} {} {{ {} }} else {{ {} }})", a.1, b.1, then.1, other.1),
            )),
        ]
    })
}

/// A script of a list scheduler that sorts jobs by a number, the largest first and NaN last. `blocked` tells what
/// happens at a job that does not fit.
pub fn in_order(number: &str, blocked: &str) -> String {
    let at_job = match blocked {
        "strict" => "if job.processors > actions.free { return; } actions.start(job);",
        "greedy" => "if job.processors <= actions.free { actions.start(job); }",
        _ => {
            "let start = profile.earliest(job); profile.reserve(job, start); if start <= view.now { actions.start(job); }"
        }
    };
    format!(
        "fn round(view, actions) {{\n    let profile = view.profile();\n    for job in view.waiting {{\n        \
         let key = -({number});\n        actions.keep(job, if is_nan(key) {{ 1.0e308 * 10.0 }} else {{ key }});\n    }}\n    \
         for job in view.waiting.sort_by(|job| job.kept) {{ {at_job} }}\n}}\n"
    )
}
