//! A spread study as an array job of Slurm.

use super::folder::SpreadFolder;
use crate::args::{SlurmArguments, StudyArguments};
use crate::{Failure, print};
use packfair_workload::reading::Limits;
use std::path::Path;
use std::process::Command;

/// The largest number of tasks: with its usual setting (MaxArraySize 1001), Slurm refuses more.
const MOST_TASKS: usize = 1_000;

/// The number of tasks for so many groups of runs: unless it is given, each processor has one of them to begin with.
pub(super) fn tasks(arguments: &SlurmArguments, groups: usize) -> usize {
    let wanted = arguments.tasks.map_or(groups.div_ceil(arguments.cpus as usize), usize::from);
    wanted.clamp(1, MOST_TASKS.min(groups.max(1)))
}

/// The script, which is readable and kept in the folder. It repeats the options about the study and its logs.
///
/// # Errors
/// A path cannot be written in the script.
pub(super) fn script(study: &StudyArguments, into: &Path, tasks: usize) -> Result<String, Failure> {
    let arguments = &study.spread.slurm;
    let absolute =
        |path: &Path| std::path::absolute(path).map_err(|error| Failure::Input(format!("{}: {error}", path.display())));
    let program = std::env::current_exe()
        .map_err(|error| Failure::Input(format!("the path of the program packfair is not known: {error}")))?;
    let into = absolute(into)?;
    let mut lines = vec![
        "#!/bin/sh".to_owned(),
        "# A study spread over a cluster; packfair wrote this, and sbatch takes it as it is.".to_owned(),
        "#SBATCH --job-name=packfair".to_owned(),
        format!("#SBATCH --array=1-{tasks}"),
        format!("#SBATCH --cpus-per-task={}", arguments.cpus),
        format!("#SBATCH --output={}", option(&into, "slurm-%A_%a.log")?),
    ];
    let given = [("partition", &arguments.partition), ("time", &arguments.time), ("account", &arguments.account)];
    for (name, value) in given {
        lines.extend(value.as_ref().map(|value| format!("#SBATCH --{name}={value}")));
    }
    let mut command = format!("exec {} study {}", quoted(&program)?, quoted(&absolute(&study.study)?)?);
    for log in &study.traces {
        command.push_str(&format!(" {}", quoted(&absolute(log)?)?));
    }
    for (option, path, name) in study.external.files() {
        let named = format!("{}={name}", text(&absolute(path)?)?);
        command.push_str(&format!(" {option} {}", quoted(Path::new(&named))?));
    }
    for path in study.site.files() {
        command.push_str(&format!(" --site {}", quoted(&absolute(path)?)?));
    }
    let (given, usual) = (study.limits.limits(), Limits::default());
    if given.jobs != usual.jobs {
        command.push_str(&format!(" --max-jobs {}", given.jobs));
    }
    if given.text != usual.text {
        command.push_str(&format!(" --max-text {}", given.text));
    }
    command.push_str(&format!(
        " --into {} --part \"$SLURM_ARRAY_TASK_ID/{tasks}\" --jobs {}",
        quoted(&into)?,
        arguments.cpus
    ));
    lines.push(command);
    Ok(lines.join("\n") + "\n")
}

/// Writes the script into the folder and submits it, unless it is only to be written.
pub(super) fn submit(arguments: &SlurmArguments, folder: &SpreadFolder, script: &str) -> Result<(), Failure> {
    folder.write("slurm.sh", script)?;
    let path = folder.path("slurm.sh");
    if arguments.dry_run {
        return print(&format!("sbatch {}\n", quoted(&path)?));
    }
    let ran = Command::new("sbatch").arg("--parsable").arg(&path).output();
    let output = ran.map_err(|error| {
        Failure::Input(format!("sbatch cannot be started: {error}; submit {} where it can", path.display()))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::Input(format!("sbatch refuses {}: {}", path.display(), said.trim())));
    }
    print(&String::from_utf8_lossy(&output.stdout))
}

/// A path as text, since a script is text.
fn text(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        let message = "its name is not UTF-8, so no script can contain it; rename it, or make a link with another name";
        Failure::Input(format!("{}: {message}", path.display()))
    })
}

/// A path quoted for a shell.
fn quoted(path: &Path) -> Result<String, Failure> {
    let text = text(path)?;
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./+,=".contains(c)) && !text.starts_with('-');
    Ok(if is_plain { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) })
}

/// The path of a file in a line of options. No shell reads this line, and Slurm gives `%` a meaning of its own in it.
fn option(folder: &Path, file: &str) -> Result<String, Failure> {
    let text = text(folder)?;
    if text.contains(['"', '\n', '%']) {
        return Err(Failure::Input(format!(
            "{text}: Slurm takes no folder with a quotation mark, % or a line break in its name; give another"
        )));
    }
    Ok(if text.contains(' ') { format!("\"{text}/{file}\"") } else { format!("{text}/{file}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments() -> SlurmArguments {
        SlurmArguments {
            slurm: true,
            dry_run: true,
            tasks: None,
            partition: Some("short".to_owned()),
            time: Some("0:30:00".to_owned()),
            account: None,
            cpus: 2,
        }
    }

    /// The arguments of `packfair study` in these words.
    fn study(said: &[&str]) -> StudyArguments {
        #[derive(clap::Parser)]
        struct Said {
            #[command(flatten)]
            study: StudyArguments,
        }
        let begin = ["packfair", "/s.json", "/it's.swf", "--into", "/tmp/out dir", "--slurm", "--partition", "short"];
        <Said as clap::Parser>::parse_from(begin.iter().chain(&["--cpus", "2"]).chain(said)).study
    }

    #[test]
    fn a_script_is_readable_and_names_what_is_to_be_done() {
        let text = script(&study(&[]), Path::new("/tmp/out dir"), 7).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "#!/bin/sh");
        assert!(lines.contains(&"#SBATCH --array=1-7") && lines.contains(&"#SBATCH --partition=short"));
        assert!(lines.contains(&"#SBATCH --output=\"/tmp/out dir/slurm-%A_%a.log\""), "{text}");
        let command = " study /s.json '/it'\\''s.swf' --into '/tmp/out dir' --part \"$SLURM_ARRAY_TASK_ID/7\" --jobs 2";
        assert!(lines.last().unwrap().ends_with(command), "{text}");
    }

    #[test]
    fn limits_are_passed_on() {
        let text = script(&study(&["--max-jobs", "7", "--max-text", "900"]), Path::new("/tmp/out"), 7).unwrap();
        assert!(text.contains(" --max-jobs 7 --max-text 900 --into /tmp/out "), "{text}");
    }

    #[test]
    #[cfg(unix)]
    fn a_name_that_is_no_text_is_refused() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let log = Path::new(OsStr::from_bytes(b"/log\xff.swf"));
        let arguments = StudyArguments { traces: vec![log.to_owned()], ..study(&[]) };
        let refused = script(&arguments, Path::new("/tmp/out"), 7).unwrap_err().to_string();
        assert!(refused.contains("its name is not UTF-8"), "{refused}");
    }

    #[test]
    fn there_are_no_more_tasks_than_groups_or_than_slurm_takes() {
        let of = |cpus, groups| tasks(&SlurmArguments { cpus, ..arguments() }, groups);
        assert_eq!((of(1, 0), of(1, 50), of(4, 50), of(2, 100_000)), (1, 50, 13, 1_000));
        let given = SlurmArguments { tasks: Some(4), ..arguments() };
        assert_eq!((tasks(&given, 50), tasks(&given, 3)), (4, 3));
    }
}
