//! A machine of cells, made from the partitions of the log at one press, on which runs are simulated.

use crate::logs;
use crate::stage::play;

/// Jobs of two partitions, of which the second is wide.
fn of_partitions() -> std::path::PathBuf {
    let line = |number: usize| {
        let (processors, partition) = if number.is_multiple_of(4) { (8, 2) } else { (2, 1) };
        format!("{number} {} 0 600 {processors} -1 -1 {processors} 900 -1 1 1 1 1 1 {partition} -1 -1\n", 60 * number)
    };
    let lines: String = (1..=400).map(line).collect();
    logs::write("partitions.swf", format!("; MaxProcs: 64\n; Partition: 2 wide\n{lines}").as_bytes())
}

#[tokio::test]
async fn the_partitions_of_a_log_become_cells_on_which_all_rows_are_run() {
    play("cells", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&of_partitions()).await;
        page.says("log-name", "partitions.swf").await;
        let open = r#"const heads = [...document.querySelectorAll('summary')];
            const head = heads.find(head => head.innerText.includes('Machine'));
            if (!head.parentElement.open) head.click();"#;
        page.evaluate(open).await;
        page.find("machine-of-partitions").await;
        page.evaluate("document.querySelector('[data-testid=machine-of-partitions]').click()").await;
        page.says("notices", "What the partitions of the log make is the machine now: 2 cells, 2 partitions.").await;
        page.run_pending().await;
        page.all_completed().await;
        page.says("machine-used", "partition wide").await;
        page.appear(390, 844, false).await;
        let fits = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth
            && document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth";
        page.until("tables scroll within themselves", fits).await;
        page.picture("cells").await;
    })
    .await;
}

/// A machine of 16 nodes with watts.
const WATTS: &str = "[[cells]]
name = \"a\"
nodes = 16
node = { processors = 4, idle_watts = 100, busy_watts = 300, off_watts = 10, boot = 120 }

[[partitions]]
name = \"1\"
cells = [\"a\"]

[[partitions]]
name = \"2\"
cells = [\"a\"]
";

#[tokio::test]
async fn power_is_drawn_over_time_with_the_price_below() {
    play("power", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&of_partitions()).await;
        page.says("log-name", "partitions.swf").await;
        page.press("tab-charts").await;
        page.find("charts-view").await;
        assert!(!page.has("power").await, "nobody knows watts");
        page.drop_file(&logs::write("watts.toml", WATTS.as_bytes())).await;
        page.find("power").await;
        assert!(!page.has("chart-price").await, "nobody knows prices");
        page.drop_file(&logs::write("day-ahead.csv", b"time,price\n0,80\n7200,140\n14400,-20\n")).await;
        for chart in ["chart-power", "chart-price"] {
            // charts are drawn as they come into sight
            let drawn = format!(
                "document.querySelector('[data-testid=power]').scrollIntoView();
                return document.querySelector('[data-testid={chart}] svg') != null"
            );
            page.until("the chart is drawn", &drawn).await;
        }
        assert!(!page.has("chart-intensity").await, "nobody knows the carbon");
        for (name, width, height, dark) in
            [("power", 1440, 900, false), ("power-dark", 1440, 900, true), ("power-phone", 390, 844, false)]
        {
            page.appear(width, height, dark).await;
            page.evaluate("document.querySelector('[data-testid=power]').scrollIntoView()").await;
            page.settle().await;
            page.picture(name).await;
        }
    })
    .await;
}
