//! Names beside points, as many as do not cover each other.

use super::layout::{Rect, TICK_TEXT};
use super::text::width_of;
use super::{Data, Plot};

/// A name and where it stands.
pub struct Name {
    /// What is written.
    pub text: String,
    /// Pixels from the left to its left end.
    pub left: f64,
    /// Pixels from the top to its middle.
    pub middle: f64,
    /// The line to its point, where it does not stand beside it.
    pub leader: Option<[(f64, f64); 2]>,
}

/// Half the side of a point with air around it, pixels.
const POINT: f64 = 6.0;

/// Height of a name, pixels.
const HEIGHT: f64 = TICK_TEXT + 2.0;

/// How far from its point a name may be, with a line to it, pixels.
const AWAY: [f64; 3] = [14.0, 26.0, 38.0];

/// Places the names of all visible points: right of them, else left, above or below, else a little away with a line to the
/// point; a name without a free place is left out (pointing at its point still tells it). What lies on top is named first.
pub fn place_names(plot: &Plot) -> Vec<Name> {
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
    let mut names = Vec::new();
    for (x, y, text) in points {
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
        let candidates = beside.into_iter().map(|at| (at, false)).chain(away.map(|at| (at, true)));
        for ((left, middle), is_away) in candidates {
            let place = Rect { left, top: middle - HEIGHT / 2.0, width, height: HEIGHT };
            let on_sheet =
                place.left >= plot.rect.left && place.right() <= plot.sheet.width && place.top >= plot.rect.top;
            if on_sheet && place.bottom() <= plot.rect.bottom() && !taken.iter().any(|other| overlap(other, &place)) {
                let near = if left > x { left - 2.0 } else { left + width + 2.0 };
                let leader = is_away.then_some([(x, y), (near, middle)]);
                taken.push(place);
                names.push(Name { text: text.to_owned(), left, middle, leader });
                break;
            }
        }
    }
    names
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom()
}
