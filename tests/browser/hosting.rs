//! Any static host, any folder, and no host at all.

use crate::stage::{play, play_in};

/// Whether the service worker has all files, and is in charge.
const KEPT: &str = "return navigator.serviceWorker?.controller?.state === 'activated'";

#[tokio::test]
async fn the_page_works_in_a_folder_of_a_host() {
    play_in("/tools/packfair/", "folder", |stage| async move {
        let page = stage.page().await;
        page.completed(8).await;
        let outside = "return performance.getEntriesByType('resource').map(e => e.name)\
                       .filter(name => name.startsWith('http') && !name.includes('/tools/packfair/'))";
        assert_eq!(page.evaluate(outside).await, serde_json::json!([]), "the page asks for files outside its folder");
    })
    .await;
}

#[tokio::test]
async fn the_page_asks_nobody_but_its_own_host() {
    play("own-host", |stage| async move {
        let page = stage.page().await;
        page.completed(8).await;
        let others = "return performance.getEntriesByType('resource').map(e => new URL(e.name))\
                      .filter(url => url.protocol.startsWith('http') && url.origin !== location.origin).map(String)";
        assert_eq!(page.evaluate(others).await, serde_json::json!([]));
    })
    .await;
}

#[tokio::test]
async fn after_a_first_visit_no_network_is_needed() {
    play("offline", |stage| async move {
        let page = stage.page().await;
        page.completed(8).await;
        page.until("the page to be kept", KEPT).await;
        stage.site.lock().await.stop().await;
        // that the host is out of reach is what this is about
        page.forgive("ERR_CONNECTION_REFUSED");
        page.reload().await;
        page.completed(8).await;
        page.apply_recipe("metrics-fig-3").await;
        page.run_pending().await;
        page.completed(4).await;
    })
    .await;
}

#[tokio::test]
async fn a_newer_page_is_shown_at_once_and_kept_in_its_turn() {
    play("newer", |stage| async move {
        let page = stage.page().await;
        page.until("the page to be kept", KEPT).await;
        {
            let site = stage.site.lock().await;
            site.publish("index.html", |document| document.replace("<title>", "<title>Newer "));
            site.publish("sw.js", |worker| format!("// newer\n{worker}"));
        }
        page.reload().await;
        assert!(page.title().await.starts_with("Newer "), "{}", page.title().await);
        page.evaluate("return navigator.serviceWorker.ready.then(r => r.update()).then(() => true)").await;
        let kept = "return caches.match(location.href).then(r => r.text()).then(text => text.includes('Newer'))";
        page.until("the newer page to be kept", kept).await;
        stage.site.lock().await.stop().await;
        page.forgive("ERR_CONNECTION_REFUSED");
        page.reload().await;
        assert!(page.title().await.starts_with("Newer "), "{}", page.title().await);
    })
    .await;
}
