//! The picture in the README.

use crate::logs;
use crate::stage::play;

#[tokio::test]
async fn the_readme_shows_the_page_as_it_is() {
    play("picture", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        match logs::real() {
            Some(log) => {
                page.drop_file(&log).await;
                page.says("log-name", "KTH-SP2").await;
                // and as logged
                page.completed(5).await;
            }
            None => {
                page.drop_file(&logs::made(5_000)).await;
                page.says("log-name", "made-5000").await;
                page.completed(4).await;
            }
        }
        page.settle().await;
        page.appear(1440, 900, false).await;
        page.evaluate("document.querySelector('#main, main')?.scrollTo(0, 0); scrollTo(0, 0)").await;
        let file = page.picture("readme").await;
        assert!(std::fs::metadata(&file).expect("the picture is there").len() > 20_000, "the picture is empty");
    })
    .await;
}
