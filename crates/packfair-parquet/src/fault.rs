//! What can be wrong with a Parquet file.

use std::io;
use std::sync::Arc;
use thiserror::Error;

/// What is wrong with a Parquet file, or keeps it from being read.
#[derive(Clone, Debug, Error)]
pub enum ParquetError {
    /// There are fewer bytes than were to be read.
    #[error("the Parquet file is damaged: a part of it ends too early")]
    End,
    #[error("the Parquet file is damaged: {0}")]
    Damaged(&'static str),
    /// It is written in a way that is not read here; says which, after "this file has".
    #[error("this Parquet file has {0}, which cannot be read here")]
    NotRead(String),
    /// Its bytes cannot be had.
    #[error("{0}")]
    Io(Arc<io::Error>),
}

pub(crate) type ReadResult<T> = Result<T, ParquetError>;

impl From<io::Error> for ParquetError {
    fn from(error: io::Error) -> Self {
        ParquetError::Io(Arc::new(error))
    }
}
