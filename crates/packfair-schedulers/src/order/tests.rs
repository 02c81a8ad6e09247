use super::*;
use packfair_workload::JobId;

fn job(submit: Seconds, processors: u32, estimate: f64) -> Waiting {
    Waiting { job: JobId(0), submit, processors, estimate }
}

/// The key of a job at time 1000, in an order written as in settings.
fn key(order: &str, job: &Waiting) -> Key {
    let policy: crate::Policy = format!("list:order={order}").parse().unwrap();
    Order::of(policy.settings(), "order").key(job, 1000)
}

#[test]
fn each_order_without_numbers_has_a_line() {
    for (id, _) in Order::OPTIONS {
        let order = Order::from_id(id);
        assert_eq!((order.id(), Order::OPTIONS[order.place()].0), (*id, *id));
    }
}

#[test]
fn functions_of_the_literature_are_as_printed() {
    let job = job(100, 4, 10_000.0);
    assert_eq!(key("f1", &job).0, 4.0 * 4.0 + 870.0 * 2.0);
    assert_eq!(key("f2", &job).0, 100.0 * 4.0 + 25_600.0 * 2.0);
    assert_eq!(key("f3", &job).0, 40_000.0 + 6_860_000.0 * 2.0);
    assert_eq!(key("f4", &job).0, 20_000.0 + 530_000.0 * 2.0);
    assert_eq!(key("unicef", &job).0, -900.0 / 20_000.0);
    assert_eq!(key("f3", &self::job(0, 4, 10_000.0)).0, 40_000.0, "s is at least 1");
}

#[test]
fn a_job_of_one_processor_is_first_by_unicef_once_it_has_waited() {
    assert_eq!(key("unicef", &job(999, 1, 1e9)).0, f64::NEG_INFINITY);
    assert_eq!(key("unicef", &job(1000, 1, 1.0)).0, 0.0);
}

#[test]
fn an_index_has_the_orders_of_the_literature_in_it() {
    let jobs = [job(0, 8, 50.0), job(10, 1, 400.0), job(500, 16, 3.0), job(900, 2, 7_000.0), job(999, 300, 1.5)];
    let sorted = |order: &str| {
        let mut places = [0, 1, 2, 3, 4];
        places.sort_by(|&a, &b| key(order, &jobs[a]).0.total_cmp(&key(order, &jobs[b]).0));
        places
    };
    for (index, named) in [
        ("index_3_3_-1", "wfp"),
        ("index_0_1_1", "saf"),
        ("index_0_-1_-1", "laf"),
        ("index_0_2_1", "spf"),
        ("index_1_1_0", "lxf"),
        ("index_0_0_1", "srf"),
        ("multifactor_168_10000000", "lrf"),
    ] {
        assert_eq!(sorted(index), sorted(named), "{index} is {named}");
    }
    assert_eq!(sorted("multifactor_168_0"), [0, 1, 2, 3, 4], "the oldest first");
}

#[test]
fn age_counts_up_to_its_maximum() {
    let order = Order::Multifactor(AgeAndSize::of(&[1.0, 60.0]));
    let key = |now| order.key(&job(0, 2, 5.0), now).0;
    assert_eq!([key(3_599), key(3_600), key(9_000)], [-3_719.0, -3_720.0, -3_720.0]);
}

#[test]
fn an_index_without_the_wait_stays() {
    let of = |text: &str| {
        let policy: crate::Policy = format!("list:order={text}").parse().unwrap();
        Order::of(policy.settings(), "order")
    };
    assert!(!of("index_0_1_1").depends_on_now() && of("index_0_1_1").depends_on_estimate());
    assert!(of("index_0.25_1_1").depends_on_now());
    assert!(of("multifactor_168_60").depends_on_now());
    assert!(of("fairshare_168_0_24").depends_on_now() && of("fairshare_168_0_24").has_share());
}
