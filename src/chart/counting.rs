//! The unit in which axes count: processors, nodes or graphics processors.

use super::{Axis, AxisUnit, Figure};
use crate::workload::Unit;

impl Figure {
    /// The same figure, with axes that name `unit` if jobs and the machine are not counted in processors.
    pub fn counted_in(&self, unit: Unit) -> Self {
        let axis = |axis: &Axis| {
            let title = unit.worded(&axis.title);
            Axis { title, unit: axis.unit.counted_in(unit), ..axis.clone() }
        };
        Figure { x: axis(&self.x), y: axis(&self.y), ..self.clone() }
    }
}

impl AxisUnit {
    /// The same axis, with `unit` in place of processors.
    fn counted_in(&self, unit: Unit) -> Self {
        let seconds = match unit {
            Unit::Processors => "processor-seconds",
            Unit::Nodes => "node-seconds",
            Unit::Gpus => "GPU-seconds",
        };
        match self {
            AxisUnit::Count("processors") => AxisUnit::Count(unit.plural()),
            AxisUnit::Number("processors") => AxisUnit::Number(unit.plural()),
            AxisUnit::Number("processor-seconds") => AxisUnit::Number(seconds),
            other => other.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::kinds::wait_map;

    #[test]
    fn axes_name_what_is_counted() {
        let figure = wait_map("EASY", &[], 0.0);
        assert_eq!(figure.counted_in(Unit::Processors), figure);
        assert_eq!(figure.counted_in(Unit::Nodes).y.unit, AxisUnit::Count("nodes"));
        let axis = Axis::linear("waiting processors", AxisUnit::Number("processor-seconds"));
        let gpus = Figure { y: axis, ..figure }.counted_in(Unit::Gpus);
        assert_eq!((gpus.y.title.as_str(), gpus.y.unit), ("waiting GPUs", AxisUnit::Number("GPU-seconds")));
    }
}
