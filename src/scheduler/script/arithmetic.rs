//! Functions of numbers, which give the same on every machine.

use rhai::{Engine, INT};

/// A whole number of a real one; beyond all whole numbers the last of them, and 0 for what is no number.
fn whole(x: f64) -> INT {
    x as INT
}

/// Registers them.
pub(super) fn register(engine: &mut Engine) {
    let power = |a: f64, b: f64| libm::pow(a, b);
    engine.register_fn("pow", power);
    engine.register_fn("pow", |a: INT, b: INT| libm::pow(a as f64, b as f64));
    engine.register_fn("pow", |a: f64, b: INT| libm::pow(a, b as f64));
    engine.register_fn("pow", |a: INT, b: f64| libm::pow(a as f64, b));
    // what a package has under the operator's name
    engine.register_fn("**", power);
    engine.register_fn("**", |a: f64, b: INT| libm::pow(a, b as f64));
    let real: [(&str, fn(f64) -> f64); 7] = [
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
