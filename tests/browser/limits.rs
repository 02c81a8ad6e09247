//! What is too much is refused or reduced, with a message, and the page goes on. What made the page fail is not tried
//! again.

use crate::logs;
use crate::stage::play;
use packfair::study::export::write_study;
use packfair::study::{Engine, Study, link};
use packfair::workload::{Machine, MachineSource};

#[tokio::test]
async fn a_study_that_names_a_column_300_000_times_has_it_once() {
    play("many-columns", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let columns = vec!["\"AF\""; 300_000].join(",");
        let text = format!(
            r#"{{"packfair": 1, "study": {{"schedulers": ["easy"], "methods": ["actual"], "columns": [{columns}]}}}}"#
        );
        page.drop_file(&logs::study("many-columns.json", &text)).await;
        page.says("notices", "Opened many-columns.json").await;
        page.until("one row", r#"return document.querySelectorAll('[data-testid="row"]').length === 1"#).await;
        page.reload().await;
        page.until("one row", r#"return document.querySelectorAll('[data-testid="row"]').length === 1"#).await;
        let elements = page.evaluate("return document.querySelectorAll('*').length").await;
        assert!(elements.as_u64().is_some_and(|count| count < 3_000), "{elements}");
    })
    .await;
}

#[tokio::test]
async fn a_filter_of_too_many_users_is_refused_with_the_limit() {
    play("many-users", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let mut study = Study::first_visit();
        study.treatment.filter.users = (0..10_001).collect();
        page.drop_file(&logs::study("many-users.json", &write_study(&study))).await;
        page.says("notices", "10001 users in the filter are too many; there may be 10000").await;
        page.completed(4).await;
    })
    .await;
}

#[tokio::test]
async fn what_the_page_failed_with_is_not_tried_again() {
    play("failed-session", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        // the state that a page leaves behind which fails before it has shown what it restored
        page.evaluate(r#"localStorage.setItem("packfair.restoring", '"Session"')"#).await;
        page.reload().await;
        page.says("notices", "The page failed while it restored the last session").await;
        page.says("notices", "Save it").await;
        page.completed(4).await;
        page.reload().await;
        page.completed(4).await;
        page.until("the mark to go", r#"return localStorage.getItem("packfair.restoring") === null"#).await;
    })
    .await;
}

#[tokio::test]
async fn a_stored_session_that_is_too_much_is_offered_as_a_file() {
    play("stored-too-much", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        // the page stores what is on screen when it is left, so this is put in its place just before it loads again
        let spoil = r#"const session = JSON.parse(localStorage.getItem("packfair.session"));
            session.study.treatment.filter.users = [...Array(20000).keys()];
            const text = JSON.stringify(session);
            addEventListener("pagehide", () => {
                for (const storage of [localStorage, sessionStorage]) storage.setItem("packfair.session", text);
            });"#;
        page.evaluate(spoil).await;
        page.reload().await;
        page.says("notices", "20000 users in the filter are too many").await;
        page.says("notices", "Save it").await;
        page.completed(4).await;
    })
    .await;
}

#[tokio::test]
async fn a_stored_session_of_megabytes_is_set_aside_and_said() {
    play("stored-megabytes", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let spoil = r#"const text = localStorage.getItem("packfair.session").replace("{", "{" + " ".repeat(2000000));
            addEventListener("pagehide", () => {
                for (const storage of [localStorage, sessionStorage]) storage.setItem("packfair.session", text);
            });"#;
        page.evaluate(spoil).await;
        page.reload().await;
        page.says("notices", "What was stored as packfair.session is set aside").await;
        page.says("notices", "Save it").await;
        page.completed(4).await;
        page.reload().await;
        page.completed(4).await;
    })
    .await;
}

#[tokio::test]
async fn a_bomb_of_jobs_is_refused_with_the_limit() {
    play("job-bomb", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::job_bomb()).await;
        page.says("log-error", "has more than 8,000,000 jobs").await;
        page.drop_file(&logs::made(500)).await;
        page.says("log-name", "made-500").await;
    })
    .await;
}

#[tokio::test]
async fn a_recorded_schedule_that_cannot_be_is_said_in_its_row() {
    play("overfull", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::overfull()).await;
        page.says("log-name", "over").await;
        let text = r#"{"packfair": 1, "study": {"schedulers": ["as-logged"], "methods": ["requested"]}}"#;
        page.drop_file(&logs::study("as-logged.json", text)).await;
        page.says("notices", "Opened as-logged.json").await;
        page.run_pending().await;
        page.completed(1).await;
        page.says("row-overfull", "does not fit").await;
        page.says("note-overfull", "run on 40 processors, of which there are 4").await;
    })
    .await;
}

#[tokio::test]
async fn a_link_of_another_engine_says_so() {
    play("other-engine", |stage| async move {
        let study = Study::first_visit();
        let workload = link::SharedWorkload {
            name: "Lublin-Feitelson, seed 1".into(),
            jobs: 2_000,
            machine: Machine { processors: 128, source: MachineSource::MaxProcs },
            jobs_by_area: Default::default(),
            area_by_area: Default::default(),
            clock: None,
        };
        let shared = |engine| link::SharedStudy {
            study: study.clone(),
            workload: workload.clone(),
            runs: Vec::new(),
            charted: Vec::new(),
            engine,
            repeated: None,
            sender_view: None,
        };
        for (engine, said) in [(Some(Engine(5)), "Another version of the engine"), (None, "An earlier version")] {
            let page = stage.browser().await;
            let fragment = link::encode(&shared(engine)).expect("it is valid");
            page.goto(&format!("{}#{fragment}", stage.url().await)).await;
            page.says("shared-engine", said).await;
        }
    })
    .await;
}
