//! The page works on any static host, in any folder, and with the host out of reach.

use crate::site::Site;
use crate::stage::{play, play_in};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

/// A script that tells whether the service worker has all files and controls the page.
const KEPT: &str = "return navigator.serviceWorker?.controller?.state === 'activated'";

/// A script that tells whether the page is the newer one.
const NEWER: &str = "return document.documentElement.dataset.newer";

#[tokio::test]
async fn the_page_works_in_a_folder_of_a_host() {
    play_in("/tools/packfair/", "folder", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
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
        page.completed(4).await;
        let others = "return performance.getEntriesByType('resource').map(e => new URL(e.name))\
                      .filter(url => url.protocol.startsWith('http') && url.origin !== location.origin).map(String)";
        assert_eq!(page.evaluate(others).await, serde_json::json!([]));
    })
    .await;
}

#[tokio::test]
async fn licences_of_libraries_are_at_hand() {
    play("licences", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let notices = "return fetch('third-party.txt').then(answer => answer.text())";
        let notices = page.evaluate(notices).await;
        let notices = notices.as_str().unwrap_or_default();
        assert!(notices.contains("\nleptos ") && notices.contains("\nplotters ") && notices.len() > 50_000);
    })
    .await;
}

#[tokio::test]
async fn after_a_first_visit_no_network_is_needed() {
    play("offline", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.until("the page to be kept", KEPT).await;
        stage.site.lock().await.stop().await;
        // this scenario makes the host unreachable
        page.forgive("ERR_CONNECTION_REFUSED");
        page.reload().await;
        page.completed(4).await;
        page.apply_recipe("metrics-fig-3").await;
        page.run_pending().await;
        page.completed(4).await;
    })
    .await;
}

/// A newer page, and its service worker.
fn publish_newer(site: &Site) {
    let hash = |document: &str| format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(document)));
    let newer = |document: &str| document.replace("<html ", "<html data-newer=\"yes\" ");
    let built = site.built("index.html");
    site.publish("index.html", |document| newer(&document));
    site.publish("sw.js", |worker| worker.replace(&hash(&built), &hash(&newer(&built))));
}

#[tokio::test]
async fn documents_and_workers_come_with_the_policy_and_may_be_embedded_by_their_own_host_alone() {
    play("headers", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let policies = "return Promise.all(['./', ...performance.getEntriesByType('resource').map(e => e.name)\
                        .filter(name => name.includes('worker'))].map(name => fetch(name)))\
                        .then(all => all.map(r => r.headers.get('content-security-policy')))";
        let policies = page.evaluate(policies).await;
        let policies = policies.as_array().expect("a policy each");
        assert!(policies.len() > 1, "no worker was loaded");
        for policy in policies {
            let policy = policy.as_str().expect("a policy");
            assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"), "{policy}");
        }
    })
    .await;
}

#[tokio::test]
async fn markup_that_could_run_something_is_refused() {
    play("trusted-types", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.forgive("Trusted");
        page.forgive("injection sink");
        let refused = |act: &str| format!("try {{ {act}; return 'done' }} catch (error) {{ return error.name }}");
        for act in [
            "document.createElement('p').innerHTML = '<img src=x onerror=alert(1)>'",
            "document.createElement('p').innerHTML = '<script>alert(1)</script>'",
            "new DOMParser().parseFromString('<svg onload=alert(1)></svg>', 'image/svg+xml')",
            "new Worker('https://elsewhere.example/worker.js')",
            "setTimeout('alert(1)')",
        ] {
            assert_eq!(page.evaluate(&refused(act)).await, serde_json::json!("TypeError"), "{act}");
        }
        let plain = "document.createElement('p').innerHTML = '<b>one = 1</b>'";
        assert_eq!(page.evaluate(&refused(plain)).await, serde_json::json!("done"));
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_is_not_the_build_s_is_not_kept() {
    play("wrong-answer", |stage| async move {
        stage.site.lock().await.publish("icon.svg", |_| "<html>Please sign in</html>".to_owned());
        let page = stage.page().await;
        page.forgive("integrity");
        page.forgive("waitUntil()");
        page.completed(4).await;
        let gave_up = "return navigator.serviceWorker.getRegistration().then(r => !r || !(r.installing || r.waiting || r.active))";
        page.until("the service worker to give up", gave_up).await;
        let kept = "return caches.match('./').then(kept => kept !== undefined)";
        assert_eq!(page.evaluate(kept).await, serde_json::json!(false), "the document is kept without what it names");
        stage.site.lock().await.publish("icon.svg", |built| built);
        page.reload().await;
        page.until("the page to be kept", KEPT).await;
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
            publish_newer(&site);
        }
        // while the host takes seconds to answer, the stored page is shown, and the next reload shows the newer one
        for _ in 0..5 {
            page.reload().await;
            if page.evaluate(NEWER).await == "yes" {
                break;
            }
        }
        assert_eq!(page.evaluate(NEWER).await, "yes", "the newer page is not shown");
        let kept = "return navigator.serviceWorker.ready.then(r => r.update()).catch(() => {})\
                    .then(() => caches.match(location.href)).then(r => r?.text()).then(text => !!text?.includes('data-newer'))";
        page.until("the newer page to be kept", kept).await;
        stage.site.lock().await.stop().await;
        page.forgive("ERR_CONNECTION_REFUSED");
        page.reload().await;
        page.until("the newer page", &format!("{NEWER} === 'yes'")).await;
    })
    .await;
}
