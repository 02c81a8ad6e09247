//! Tests of a profile on its own.

use super::*;

fn profile(free: u32, releases: &[(f64, u32)]) -> Profile {
    let mut profile = Profile::default();
    let held: u32 = releases.iter().map(|&(_, processors)| processors).sum();
    profile.begin_with(0.0, free + held, releases.iter().copied());
    profile
}

fn steps(profile: &Profile) -> Vec<(f64, u32)> {
    profile.steps().collect()
}

#[test]
fn running_jobs_free_their_processors_one_after_another() {
    assert_eq!(steps(&profile(2, &[(5.0, 1), (5.0, 2), (9.0, 4)])), [(0.0, 2), (5.0, 5), (9.0, 9)]);
}

#[test]
fn the_earliest_fit_is_the_first_hole_wide_and_long_enough() {
    let mut profile = profile(2, &[(10.0, 8)]);
    assert_eq!(profile.earliest(2, 100.0), 0.0);
    assert_eq!(profile.earliest(3, 1.0), 10.0);
    assert_eq!(profile.place(9, 10.0), (10.0, 20.0));
    assert_eq!(steps(&profile), [(0.0, 2), (10.0, 1), (20.0, 10)]);
    assert_eq!(profile.earliest(2, 10.0), 0.0, "a job may end exactly where a reservation begins");
    assert_eq!(profile.earliest(2, 10.5), 20.0);
    assert_eq!(profile.earliest(1, 1_000.0), 0.0);
}

#[test]
fn what_is_released_is_as_if_it_had_never_been_reserved() {
    let mut profile = profile(2, &[(10.0, 8), (20.0, 2)]);
    let before = steps(&profile);
    let first = profile.place(9, 5.0);
    let second = profile.place(3, 10.0);
    assert_eq!((first, second), ((10.0, 15.0), (15.0, 25.0)));
    profile.reserve(0.0, 3.0, 1);
    profile.release(0.0, 3.0, 1);
    profile.release(15.0, 25.0, 3);
    profile.release(10.0, 15.0, 9);
    assert_eq!(steps(&profile), before);
}

#[test]
fn a_reservation_moves_as_if_its_own_processors_were_free() {
    let mut profile = profile(4, &[(10.0, 6)]);
    profile.reserve(10.0, 30.0, 8);
    profile.reserve(30.0, 50.0, 4);
    assert!(profile.has_free(0.0, 50.0, 2) && !profile.has_free(9.0, 11.0, 3) && profile.has_free(30.0, 90.0, 6));
    assert_eq!(profile.earlier(8, 20.0, 10.0), None);
    assert_eq!(profile.earlier(4, 20.0, 30.0), None, "two processors are too few until 30");
    profile.release(10.0, 30.0, 8);
    assert_eq!(profile.earlier(4, 40.0, 30.0), Some(0.0), "it overlaps with where it was");
    assert_eq!(profile.earlier(5, 20.0, 30.0), Some(10.0));
    assert!(profile.could_begin_now(4, 20.0, 30.0) && !profile.could_begin_now(5, 20.0, 30.0));
    profile.advance(40.0);
    profile.release(30.0, 40.0, 4);
    assert_eq!(steps(&profile), [(40.0, 6), (50.0, 10)], "what is past does not matter");
}

#[test]
fn time_passes() {
    let mut profile = profile(2, &[(10.0, 8), (20.0, 2)]);
    profile.advance(5.0);
    assert_eq!(steps(&profile), [(5.0, 2), (10.0, 10), (20.0, 12)]);
    profile.advance(10.0);
    assert_eq!(steps(&profile), [(10.0, 10), (20.0, 12)]);
    profile.advance(30.0);
    assert_eq!(steps(&profile), [(30.0, 12)]);
}
