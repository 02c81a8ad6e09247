//! Names beside points, as many as fit without covering each other.

use super::layout::Rect;
use super::text::TICK_TEXT;
use super::text::width_of;
use super::{Data, Plot};

/// A name and its position.
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

/// Places the names of all visible points: to the right of the point, or to its left, above or below, or a little
/// further away with a line to the point. A name that does not fit anywhere is left out (the tip of its point still
/// shows it). Points drawn on top get their names first.
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
