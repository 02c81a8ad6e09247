//! What can be wrong with a Parquet file.

use crate::workload::reading::ReadError;
use crate::workload::reading::source::reason;
use std::io;

/// What is wrong with a Parquet file, or keeps it from being read.
#[derive(Debug)]
pub(super) enum Fault {
    /// There are fewer bytes than were to be read.
    End,
    Damaged(&'static str),
    /// It is written in a way that is not read here.
    NotRead(String),
    /// Its bytes cannot be had.
    Io(ReadError),
}

pub(super) type ReadResult<T> = Result<T, Fault>;

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Io(reason(&error))
    }
}

impl Fault {
    /// The fault as the reason why the log cannot be read.
    pub(super) fn reason(self) -> ReadError {
        match self {
            Fault::End => ReadError::DamagedParquet("a part of it ends too early"),
            Fault::Damaged(what) => ReadError::DamagedParquet(what),
            Fault::NotRead(what) => ReadError::ParquetNotRead(what),
            Fault::Io(why) => why,
        }
    }
}
