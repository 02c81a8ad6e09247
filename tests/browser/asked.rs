//! Files about which the page asks the user: schedules and estimates from elsewhere, and tables with unknown columns.

use crate::logs;
use crate::stage::play;
use packfair::metric::Measure;
use packfair::simulation::Correction;
use packfair::study::{Run, Treatment, execute, export};
use packfair::workload::reading::read;

/// The starts of EASY with requested times on the log of [`logs::made`], as the command line writes them.
fn starts(jobs: usize) -> String {
    let log = read("made", logs::text(jobs).as_bytes()).expect("a log");
    let workload = Treatment::default().apply(&log).expect("a workload");
    let run = Run::new("easy".parse().expect("an id"), "requested".parse().expect("an id"));
    let result = execute(&run, &workload, Correction::default(), &Measure::default()).expect("it runs");
    String::from_utf8(export::starts(&workload, &result.schedule)).expect("UTF-8")
}

#[tokio::test]
async fn a_schedule_and_estimates_of_others_stand_beside_the_log() {
    play("external", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::made(2_000)).await;
        page.says("log-name", "made-2000.swf").await;
        page.completed(4).await;

        page.drop_file(&logs::write("theirs.csv", starts(2_000).as_bytes())).await;
        page.says("asked-beside", "theirs.csv").await;
        page.says("asked-beside", "made-2000.swf").await;
        page.press("asked-add").await;
        page.completed(5).await;
        page.says("notices", "theirs: starts of 2,000 of 2,000 jobs").await;
        let table = page.table().await;
        let own = |id: &str| id.starts_with("external:file=theirs@");
        let of_file = table.iter().find(|(id, _)| own(id)).expect("a row of the file").1.clone();
        for metric in ["AF", "AWF", "BSLD", "P2SF"] {
            assert_eq!(of_file[metric], table["easy__requested"][metric], "{metric}");
        }

        // it is there after a reload, and can be computed again
        page.reload().await;
        page.completed(5).await;
        assert!(page.table().await.keys().any(|id| own(id)));
        let link = page.share_link().await;
        page.says("share-carries", "The file theirs is needed for that, too").await;
        page.keys("\u{e00c}").await;

        // another user who opens the link sees its results, and is told what is missing
        let other = stage.browser().await;
        other.goto(&link).await;
        other.until("the shared row", "return !!document.querySelector('[data-run^=\"external:file=theirs@\"]')").await;

        // estimates of the same file
        page.drop_file(&logs::write("guesses.csv", b"job,estimate\n1,100\n2,0:05:00\n")).await;
        page.says("asked-beside", "guesses.csv").await;
        page.press("asked-add").await;
        page.says("notices", "guesses: estimates of 2 of 2,000 jobs").await;
        page.completed(9).await;

        // a schedule of another cluster, and one that is not possible
        page.drop_file(&logs::write("foreign.csv", b"job,start\n900001,5\n")).await;
        page.says("asked-beside", "foreign.csv").await;
        page.press("asked-add").await;
        page.says("notices", "foreign has none of the log's jobs").await;
        let impossible: String = starts(2_000)
            .lines()
            .enumerate()
            .map(|(n, line)| if n == 0 { format!("{line}\n") } else { format!("{n},0,1\n") })
            .collect();
        page.drop_file(&logs::write("impossible.csv", impossible.as_bytes())).await;
        page.press("asked-add").await;
        page.until(
            "a row that fails",
            "return !!document.querySelector('[data-run^=\"external:file=impossible@\"] [data-status=failed]')",
        )
        .await;
    })
    .await;
}

#[tokio::test]
async fn a_table_that_nobody_knows_is_read_once_its_columns_are_named() {
    play("columns", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let rows: String = (0..400)
            .map(|n| {
                let (at, run, width) = (1_700_000_000 + n * 60, 300 + n * 7 % 900, 1 + n % 16);
                format!("{n};u{};{at};{};{run};{width};30\n", n % 5, at + n % 50)
            })
            .collect();
        let table = |name: &str| {
            logs::write(name, format!("ticket;who;came in;went on;lasted;how wide;minutes\n{rows}").as_bytes())
        };
        page.drop_file(&table("ours.csv")).await;
        page.says("asked-columns", "how wide").await;
        page.says("asked-jobs", "Missing: ").await;
        assert_eq!(
            page.evaluate("return document.querySelectorAll('[data-testid=asked-columns] tbody tr').length").await,
            5
        );
        let choose = |place: usize, field: &str| {
            format!(
                "const s = document.querySelector('[data-testid=asked-column-{place}]'); s.value = '{field}';
                 s.dispatchEvent(new Event('change', {{ bubbles: true }}))"
            )
        };
        for (place, field) in
            [(0, "id"), (1, "user"), (2, "submit"), (3, "start"), (4, "run"), (5, "processors"), (6, "limit")]
        {
            page.evaluate(&choose(place, field)).await;
        }
        page.says("asked-jobs", "Of 400 rows, 400 would be jobs").await;
        let unit = "const s = document.querySelector('[aria-label=\"How minutes is written\"]'); s.value = 'min';
            s.dispatchEvent(new Event('change', { bubbles: true }))";
        page.evaluate(unit).await;
        for (width, height, dark) in [(390, 844, false), (390, 844, true), (1440, 900, true), (1440, 900, false)] {
            page.appear(width, height, dark).await;
            page.picture(&format!("columns-{width}-{}", if dark { "dark" } else { "light" })).await;
        }
        page.press("asked-read").await;
        page.says("log-name", "ours.csv").await;
        page.until("the log to be read", "return document.querySelector('[data-testid=log-error]') === null").await;
        page.completed(5).await;
        page.says("ask-columns", "Columns…").await;

        // the log is there after a reload, and another table with these columns is read without asking
        page.reload().await;
        page.completed(5).await;
        page.says("log-name", "ours.csv").await;
        page.drop_file(&table("theirs.csv")).await;
        page.says("log-name", "theirs.csv").await;
        page.completed(5).await;

        // the columns can be stated otherwise later
        page.press("ask-columns").await;
        page.says("asked-jobs", "Of 400 rows, 400 would be jobs").await;
        page.evaluate(&choose(6, "")).await;
        page.press("asked-read").await;
        // a log that names no limits has no rows of requested times
        page.completed(5).await;
    })
    .await;
}
