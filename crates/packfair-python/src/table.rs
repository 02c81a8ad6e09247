//! Tables that go out by Arrow's capsules.

use crate::working::value_error;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{Field, Schema};
use packfair::study::query::{FieldValues, JobValues};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};
use pyo3_arrow::PyTable;
use std::sync::Arc;

/// A column of a table.
pub enum Values {
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// Other numbers.
    Real(Vec<Option<f64>>),
    /// Texts.
    Text(Vec<Option<String>>),
    /// Whether something is so.
    Truth(Vec<Option<bool>>),
}

impl Values {
    fn array(&self) -> ArrayRef {
        match self {
            Values::Whole(values) => Arc::new(Int64Array::from(values.clone())),
            Values::Real(values) => Arc::new(Float64Array::from(values.clone())),
            Values::Text(values) => Arc::new(StringArray::from(values.clone())),
            Values::Truth(values) => Arc::new(BooleanArray::from(values.clone())),
        }
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        match self {
            Values::Whole(values) => PyList::new(py, values),
            Values::Real(values) => PyList::new(py, values),
            Values::Text(values) => PyList::new(py, values),
            Values::Truth(values) => PyList::new(py, values),
        }
    }
}

impl From<FieldValues> for Values {
    fn from(values: FieldValues) -> Self {
        match values {
            FieldValues::Whole(values) => Values::Whole(values),
            FieldValues::Real(values) => Values::Real(values),
            FieldValues::Text(values) => Values::Text(values),
        }
    }
}

/// A table of columns with names.
///
/// It goes into pandas, polars, pyarrow and duckdb by Arrow's capsules (``__arrow_c_stream__``): ``pyarrow.table(t)``,
/// ``polars.DataFrame(t)``, ``t.to_pandas()``.
#[pyclass(frozen, module = "packfair")]
pub struct Table {
    columns: Vec<(String, Values)>,
    rows: usize,
}

impl Table {
    /// A table of columns of one length.
    pub fn of(columns: Vec<(String, Values)>) -> Self {
        let rows = columns.first().map_or(0, |(_, values)| match values {
            Values::Whole(values) => values.len(),
            Values::Real(values) => values.len(),
            Values::Text(values) => values.len(),
            Values::Truth(values) => values.len(),
        });
        Table { columns, rows }
    }

    /// A table of jobs.
    pub fn of_jobs(values: Vec<JobValues>) -> Self {
        Table::of(values.into_iter().map(|of| (of.id.to_owned(), of.values.into())).collect())
    }

    fn arrow(&self, py: Python<'_>) -> PyResult<Py<PyTable>> {
        let arrays: Vec<ArrayRef> = self.columns.iter().map(|(_, values)| values.array()).collect();
        let field = |((name, _), array): (&(String, Values), &ArrayRef)| {
            Field::new(name.as_str(), array.data_type().clone(), true)
        };
        let schema = Arc::new(Schema::new(self.columns.iter().zip(&arrays).map(field).collect::<Vec<_>>()));
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(value_error)?;
        Py::new(py, PyTable::try_new(vec![batch], schema)?)
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        match self.columns.iter().find(|(column, _)| column == name) {
            Some((_, values)) => values.list(py),
            None => {
                let names = self.columns().join(", ");
                Err(PyKeyError::new_err(format!("there is no column {name}; there are {names}")))
            }
        }
    }

    /// The columns as lists, by name.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (name, values) in &self.columns {
            columns.set_item(name, values.list(py)?)?;
        }
        Ok(columns)
    }

    /// A ``pandas.DataFrame`` of the table. Needs pandas.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?.getattr("DataFrame")?.call1((self.to_dict(py)?,))
    }

    /// The table as a stream of Arrow's C data interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.arrow(py)?.into_bound(py).call_method1("__arrow_c_stream__", (requested_schema,))
    }

    /// The types of the columns, as a schema of Arrow's C data interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrow(py)?.into_bound(py).call_method0("__arrow_c_schema__")
    }

    fn __repr__(&self) -> String {
        format!("<packfair.Table of {} rows: {}>", self.rows, self.columns().join(", "))
    }
}
