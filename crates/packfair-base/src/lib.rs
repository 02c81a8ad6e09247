//! TODO
pub mod catalogue;
pub mod column;
pub mod expression;
pub mod machine;
pub mod random;
