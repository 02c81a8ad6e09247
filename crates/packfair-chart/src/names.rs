//! Names beside points, as many as fit without covering each other; numbers where they do not.

use super::layout::Rect;
use super::text::TICK_TEXT;
use super::text::width_of;
use super::{Data, Plot};

/// A name and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: String,
    /// The left end of the text, pixels from the left.
    pub left: f64,
    /// The middle of the text, pixels from the top.
    pub middle: f64,
    /// The line to the point, if the name is not right beside it.
    pub leader: Option<[(f64, f64); 2]>,
}

/// Half the side of a point with some space around it, pixels.
const POINT: f64 = 6.0;

/// The height of a name, pixels.
const HEIGHT: f64 = TICK_TEXT + 2.0;

/// The distances at which a name is tried that does not fit beside its point, pixels; it gets a line to the point.
const AWAY: [f64; 3] = [14.0, 26.0, 38.0];

/// The names of all visible points, and a key of those that have no room.
///
/// A name stands to the right of its point, or to its left, above or below, or a little further away with a line to the
/// point. One that fits nowhere is left out, since the tip of its point shows it; or, if the names are all to be told, a
/// number stands instead, which the key explains: `1 EASY`. Points drawn on top get their names first.
pub fn place_names(plot: &Plot, are_all_told: bool) -> (Vec<Name>, Vec<String>) {
    let points = plot.visible.iter().rev().filter_map(|&i| match &plot.figure.series[i].data {
        Data::NamedPoints(points) => Some(points),
        _ => None,
    });
    let inside = |px: f64, py: f64| plot.rect.contains(px, py);
    let points: Vec<(f64, f64, &str)> = points
        .flatten()
        .map(|point| (plot.to_pixel(point.x, point.y), point.name.as_str()))
        .filter(|((x, y), _)| inside(*x, *y))
        .map(|((x, y), name)| (x, y, name))
        .collect();
    let mut taken: Vec<Rect> = points
        .iter()
        .map(|(x, y, _)| Rect { left: x - POINT, top: y - POINT, width: 2.0 * POINT, height: 2.0 * POINT })
        .collect();
    let (mut names, mut key) = (Vec::new(), Vec::new());
    let mut without_room = Vec::new();
    for (x, y, text) in points {
        match place_name(plot, &mut taken, (x, y), text) {
            Some(name) => names.push(name),
            None => without_room.push((x, y, text)),
        }
    }
    for (x, y, text) in without_room.into_iter().filter(|_| are_all_told) {
        let number = (key.len() + 1).to_string();
        key.push(format!("{number} {text}"));
        // among points that cover each other a number may do so, too
        names.push(place_name(plot, &mut taken, (x, y), &number).unwrap_or(Name {
            text: number,
            left: x + POINT,
            middle: y,
            leader: None,
        }));
    }
    (names, key)
}

/// A place for a text beside a point that covers nothing of what is taken; it is taken then.
fn place_name(plot: &Plot, taken: &mut Vec<Rect>, (x, y): (f64, f64), text: &str) -> Option<Name> {
    let width = width_of(text, TICK_TEXT);
    let beside = [
        (x + POINT + 2.0, y),
        (x - POINT - 2.0 - width, y),
        (x - width / 2.0, y - POINT - HEIGHT / 2.0),
        (x - width / 2.0, y + POINT + HEIGHT / 2.0),
    ];
    let away = AWAY.into_iter().flat_map(|far| {
        let across = POINT + far;
        [(x + across, y - far), (x + across, y + far), (x - across - width, y - far), (x - across - width, y + far)]
    });
    let mut candidates = beside.into_iter().map(|at| (at, false)).chain(away.map(|at| (at, true)));
    candidates.find_map(|((left, middle), is_away)| {
        let place = Rect { left, top: middle - HEIGHT / 2.0, width, height: HEIGHT };
        let on_sheet = place.left >= plot.rect.left && place.right() <= plot.sheet.width && place.top >= plot.rect.top;
        if !on_sheet || place.bottom() > plot.rect.bottom() || taken.iter().any(|other| overlap(other, &place)) {
            return None;
        }
        let near = if left > x { left - 2.0 } else { left + width + 2.0 };
        let leader = is_away.then_some([(x, y), (near, middle)]);
        taken.push(place);
        Some(Name { text: text.to_owned(), left, middle, leader })
    })
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom()
}
