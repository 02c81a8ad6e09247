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
    for (exponents, named) in [
        ([3, 3, -1], "wfp"),
        ([0, 1, 1], "saf"),
        ([0, -1, -1], "laf"),
        ([0, 2, 1], "spf"),
        ([1, 1, 0], "lxf"),
        ([0, 0, 1], "srf"),
    ] {
        let numbers = exponents.map(f64::from);
        let index = Order::PRESETS[0].open().filled(&numbers).unwrap();
        assert_eq!(sorted(&format!("formula:{index}")), sorted(named), "{index} is {named}");
    }
    assert_eq!(sorted("formula:min(wait,168h)+1e7*processors"), sorted("lrf"));
    assert_eq!(sorted("formula:min(wait,168h)"), [0, 1, 2, 3, 4], "the oldest first");
}

#[test]
fn age_counts_up_to_its_maximum() {
    let key = |now| of("formula:min(wait,1h)+60*processors").key(&job(0, 2, 5.0), now).0;
    assert_eq!([key(3_599), key(3_600), key(9_000)], [-3_719.0, -3_720.0, -3_720.0]);
}

fn of(text: &str) -> Order {
    let policy: crate::Policy = format!("list:order={text}").parse().unwrap();
    Order::of(policy.settings(), "order")
}

#[test]
fn a_formula_without_the_wait_stays() {
    let area = of("formula:1/(estimate*processors)");
    assert!(!area.depends_on_now() && area.depends_on_estimate() && !area.has_lasting());
    assert!(of("formula:wait^0.25/area").depends_on_now());
    assert!(of("multifactor").depends_on_now() && !of("multifactor").has_reported());
    assert!(of("fairshare").depends_on_now() && of("fairshare").has_share() && of("fairshare").has_reported());
}

#[test]
fn what_lasts_of_a_formula_is_kept_where_that_is_known_to_be_the_same() {
    let nature = |text| {
        let order = of(text);
        (order.has_lasting(), order.has_reported(), order.needs_view(), order.only_falls())
    };
    for text in
        ["index", "formula:wait^1.5/(estimate^2*processors^(-0.5))", "multifactor", "formula:min(wait,9)+(2-area)"]
    {
        assert_eq!(nature(text), (true, false, false, true), "{text}");
    }
    assert_eq!(nature("fairshare"), (true, true, false, true));
    assert_eq!(nature("formula:wait/requested"), (true, true, false, false), "it may be 0");
    assert_eq!(nature("formula:wait/(estimate-60)"), (true, false, false, false), "it may be below 0");
    assert_eq!(nature("formula:wait/(estimate*share)"), (false, true, false, false), "the estimate may change");
    assert_eq!(nature("formula:wait*share+requested"), (false, false, true, false), "two are told");
    assert_eq!(nature("formula:wait*processors"), (false, false, false, false));
    assert_eq!(nature("formula:wait/now"), (false, false, false, false));
    let jobs = [job(0, 8, 50.0), job(10, 1, 400.0), job(500, 16, 0.25), job(1_000, 2, 7_000.0)];
    for text in ["formula:wait^2.75/(estimate^0.5*processors^(-4.5))", "formula:min(wait,500)+(0*processors-estimate)"]
    {
        let order = of(text);
        for job in &jobs {
            assert_eq!(order.key_over(order.lasting(job), job, 1_000), order.key(job, 1_000), "{text}");
        }
    }
}
