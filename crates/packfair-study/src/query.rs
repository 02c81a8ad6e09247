//! Questions about the schedules of a study, answered where the schedules are: in a worker of the page, or natively.

mod answer;
mod answering;
mod classified;
mod drawing;
mod estimated;
mod field;
mod file;
mod gantt;
mod jobs;
mod measuring;
mod question;
mod reasons;
mod row;
mod search;
mod sizes;
mod under_way;
mod waited;

pub use self::answer::{Answer, BoxPart, GanttBox, JobOutcome, JobRow};
pub use self::answering::{Begun, answer, begin, begin_lived};
pub use self::drawing::Drawing;
pub use self::estimated::{Estimated, EstimatedTable, INVENTED};
pub use self::field::{AboutField, FieldKind, FieldOf, FieldShown, JobColumn, JobField};
pub use self::file::{FieldValues, JobValues, job_values};
pub use self::measuring::Measuring;
pub use self::question::{BoxesAsked, JobsQuery, Query, ScheduleFormat};
pub use self::reasons::Reasons;
pub use self::sizes::{LearnedSizes, UserLags};
pub use self::under_way::UnderWay;
pub(crate) use self::waited::waited;
pub use self::waited::{Other, Waited};
pub use packfair_engine::metric::TimeSeries;
