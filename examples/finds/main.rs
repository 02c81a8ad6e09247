//! How often a search recommends what is no better (false finds), and how often it finds what is better by construction
//! (power): `nice cargo run --release --example finds -- load=0.7 logs=200 weeks=32 runs=64` (docs/explore.md).

#[allow(dead_code)]
#[path = "../coverage/law.rs"]
mod law;
mod trial;

use law::Law;
use std::error::Error;
use trial::World;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut load, mut weeks, mut logs, mut runs) = (0.7, 32, 200, 64);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("load", text)) => load = text.parse()?,
            Some(("weeks", text)) => weeks = text.parse()?,
            Some(("logs", text)) => logs = text.parse()?,
            Some(("runs", text)) => runs = text.parse()?,
            _ => return Err(format!("{argument}: there are load=, weeks=, logs= and runs=").into()),
        }
    }
    let law = Law::lublin(load);
    println!("{}; {logs} logs of {weeks} weeks, {runs} settings each", law.about());
    let worlds = [
        ("copies of the baseline, noise of 5 %", World::Relabelled(0.05)),
        ("copies of the baseline, noise of 20 %", World::Relabelled(0.2)),
        ("EASY with thresholds that never apply", World::NeverApplies),
        ("better by 10 %, noise of 1 %", World::Better { by: 0.1, noise: 0.01 }),
        ("better by 10 %, noise of 2 %", World::Better { by: 0.1, noise: 0.02 }),
        ("better by 10 %, noise of 3 %", World::Better { by: 0.1, noise: 0.03 }),
    ];
    let shares = trial::shares_recommended(&law, &worlds.map(|(_, world)| world), (weeks, logs, runs));
    for ((name, _), share) in worlds.iter().zip(shares) {
        println!("  {name:<40} recommended in {:>5.1} %", 100.0 * share);
    }
    Ok(())
}
