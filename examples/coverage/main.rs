//! What intervals are worth: how often the 95 % interval of one log alone holds the truth, on logs whose law is known.
//! `cargo run --release --example coverage -- lublin=0.6 LOG.swf.gz ...`, with `weeks=13`, `logs=400`, `truths=4000` and
//! `repeats=40` among the arguments. A log stands for the law that is fitted to it (docs/sure.md).

mod law;
mod trial;

use law::Law;
use packfair::workload::{Cleaning, Filter, clean, reading};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut weeks, mut logs, mut truths, mut repeats) = (13, 400, 4_000, 40);
    let mut laws = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("weeks", text)) => weeks = text.parse()?,
            Some(("logs", text)) => logs = text.parse()?,
            Some(("truths", text)) => truths = text.parse()?,
            Some(("repeats", text)) => repeats = text.parse()?,
            Some(("lublin", load)) => laws.push(Law::lublin(load.parse()?)),
            _ => {
                let name = Path::new(&argument).file_name().unwrap_or_default().to_string_lossy().into_owned();
                let log = reading::read(name, std::fs::File::open(&argument)?)?;
                laws.push(Law::fitted(&clean(&log, &Filter::default(), Cleaning::Metrics, None)?));
            }
        }
    }
    if laws.is_empty() {
        println!("name laws: lublin=LOAD, or logs in SWF to fit one to");
    }
    for law in laws {
        println!("{}; {logs} logs of {weeks} weeks, truth of {truths}, {repeats} repeats", law.about());
        println!("  quantity               truth  coverage  no interval  median / own   width");
        for (quantity, worth) in trial::worth(&law, weeks, logs, truths, repeats).iter().enumerate() {
            let metric = trial::METRICS[quantity % trial::METRICS.len()];
            let is_change = quantity >= trial::METRICS.len();
            let name = if is_change { format!("change of {metric}") } else { metric.to_string() };
            // the median of a change that is nearly none says nothing over the own one
            let centre = if is_change { "-".to_owned() } else { format!("{:.3}", worth.centre) };
            let coverage = format!("{:.0} %", 100.0 * worth.coverage);
            let without = format!("{:.0} %", 100.0 * worth.without);
            let (truth, width) = (worth.truth, worth.width);
            println!("  {name:<20} {truth:>10.4}  {coverage:>8}  {without:>11}  {centre:>12}  {width:>6.3}");
        }
    }
    Ok(())
}
