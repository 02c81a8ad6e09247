//! The picture in the README.

use crate::logs;
use crate::stage::play;

#[tokio::test]
async fn the_readme_shows_the_page_as_it_is() {
    play("picture", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::real().unwrap_or_else(|| logs::made(5_000))).await;
        page.apply_recipe("metrics-table-2").await;
        page.run_pending().await;
        page.completed(20).await;
        page.settle().await;
        page.appear(1440, 900, false).await;
        let file = page.picture("readme").await;
        assert!(std::fs::metadata(&file).expect("the picture is there").len() > 20_000, "the picture is empty");
    })
    .await;
}
