//! Functions of numbers that give the same result on every machine.

use rhai::{Engine, INT};

/// Converts a real number to a whole one. Beyond the range it is the last whole number, and 0 for NaN.
fn whole(x: f64) -> INT {
    x as INT
}

type Real = fn(f64) -> f64;

pub(super) fn register(engine: &mut Engine) {
    let power = |a: f64, b: f64| libm::pow(a, b);
    engine.register_fn("pow", power);
    engine.register_fn("pow", |a: INT, b: INT| libm::pow(a as f64, b as f64));
    engine.register_fn("pow", |a: f64, b: INT| libm::pow(a, b as f64));
    engine.register_fn("pow", |a: INT, b: f64| libm::pow(a as f64, b));
    // replaces what a package of Rhai registers under the name of the operator
    engine.register_fn("**", power);
    engine.register_fn("**", |a: f64, b: INT| libm::pow(a, b as f64));
    let real: [(&str, Real); 7] = [
        ("sqrt", f64::sqrt),
        ("exp", libm::exp),
        ("ln", libm::log),
        ("floor", f64::floor),
        ("ceil", f64::ceil),
        ("round", libm::round),
        ("to_float", |x| x),
    ];
    for (name, function) in real {
        engine.register_fn(name, function);
        engine.register_fn(name, move |x: INT| function(x as f64));
    }
    engine.register_fn("to_int", whole);
    engine.register_fn("to_int", |x: INT| x);
    engine.register_fn("is_nan", f64::is_nan);
}
