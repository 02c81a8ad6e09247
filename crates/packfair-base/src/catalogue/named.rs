//! Enumerations from which users choose. Each value has an id, a name and a line of help, in one table.

/// The id, name and help of one of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Stable id: in links, files and on the command line. Never changes once published.
    pub id: &'static str,
    pub name: &'static str,
    /// One line of help; empty where the name says enough.
    pub help: &'static str,
}

impl Named {
    pub const fn new(id: &'static str, name: &'static str, help: &'static str) -> Self {
        Named { id, name, help }
    }
}

/// Gives an enumeration its `ALL`, `NAMED`, `id`, `name`, `help`, `Display` (the id) and `FromStr`, from a table with a line
/// for each value. `what` says in messages what the values are.
#[macro_export]
macro_rules! named {
    ($type:ident, $what:literal, { $($value:ident => $id:literal, $name:literal, $help:literal;)+ }) => {
        impl $type {
            /// All values, in the order in which they are offered.
            pub const ALL: [$type; [$($id),+].len()] = [$($type::$value),+];

            /// The id, name and help of each value, in the same order.
            pub const NAMED: &'static [$crate::catalogue::Named] = &[$($type::$value.named()),+];

            const fn named(self) -> $crate::catalogue::Named {
                match self {
                    $($type::$value => $crate::catalogue::Named::new($id, $name, $help),)+
                }
            }

            /// Stable id, in links, files and on the command line.
            pub const fn id(self) -> &'static str {
                self.named().id
            }

            /// Display name.
            pub const fn name(self) -> &'static str {
                self.named().name
            }

            /// One line of help.
            pub const fn help(self) -> &'static str {
                self.named().help
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.id())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::catalogue::UnknownId;

            fn from_str(id: &str) -> Result<Self, Self::Err> {
                let found = $type::ALL.into_iter().find(|value| value.id() == id.trim());
                found.ok_or_else(|| {
                    let ids = $type::ALL.into_iter().map(|value| value.id());
                    $crate::catalogue::UnknownId::entry($what, id, ids)
                })
            }
        }
    };
}
