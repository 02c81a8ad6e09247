//! Questions about the schedules of a study, answered where the schedules are: in a worker of the page, or natively.

mod answer;
mod answering;
mod estimated;
mod field;
mod gantt;
mod jobs;
mod question;
mod search;
mod waited;

pub use self::answer::{Answer, BoxPart, GanttBox, JobOutcome, JobRow, UnderWay};
pub use self::answering::{Begun, Drawing, Measuring, answer, begin, begin_lived};
pub use self::estimated::{Estimated, EstimatedTable, INVENTED};
pub use self::field::{AboutField, FieldKind, FieldOf, FieldShown, JobColumn, JobField};
pub use self::gantt::{LearnedSizes, UserLags};
pub use self::jobs::{FieldValues, JobValues, job_values};
pub use self::question::{BoxesAsked, JobsQuery, Query, ScheduleFormat};
pub(crate) use self::waited::waited;
pub use self::waited::{Other, Reasons, Waited};
pub use packfair_engine::metric::TimeSeries;
