//! A family with all its settings: what is chosen from the catalogue of schedulers or of estimators.

use super::{Entry, Settings, UnknownId};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// A catalogue of families. Some of their settings have names of their own, the presets.
pub trait Catalogue: Sized + 'static {
    /// What the catalogue lists, in one word, for messages.
    const WHAT: &'static str;

    type Family: Family;

    /// All families, in the order in which they are offered.
    const FAMILIES: &'static [Self::Family];

    /// All presets, in the order in which they are offered.
    const PRESETS: &'static [Preset];

    /// What each preset means, in the order of the presets: the result of [`meant`], computed once.
    fn meant() -> &'static [Configured<Self>];
}

/// A line of a catalogue: an algorithm and what can be set of it.
pub trait Family: Sync {
    fn entry(&self) -> &Entry;

    /// Checks that settings that are each right make sense together.
    ///
    /// # Errors
    /// What is wrong, and what to do.
    fn check(&self, _settings: &Settings) -> Result<(), String> {
        Ok(())
    }
}

/// Settings of a family that have a name in the papers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    pub id: &'static str,
    pub name: &'static str,
    pub help: &'static str,
    /// What it stands for: a family and settings.
    pub means: &'static str,
}

impl Preset {
    pub const fn new(id: &'static str, name: &'static str, help: &'static str, means: &'static str) -> Self {
        Preset { id, name, help, means }
    }
}

/// A family and all its settings. As text: a preset's id (`saf-justbf`), or a family and what differs
/// from its defaults (`easy:backfill=sjf,threshold=3600`).
pub struct Configured<C: Catalogue> {
    family: &'static C::Family,
    settings: Settings,
}

impl<C: Catalogue> Configured<C> {
    /// A family with everything at its default.
    pub fn of(family: &'static C::Family) -> Self {
        Configured { family, settings: Settings::defaults(family.entry().parameters) }
    }

    pub fn family(&self) -> &'static C::Family {
        self.family
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// If the family has no such parameter, the parameter does not take the value, or the value makes no sense with the
    /// others.
    pub fn set(&mut self, parameter: &str, value: &str) -> Result<(), UnknownId> {
        let mut settings = self.settings.clone();
        settings.set(self.family.entry().name, parameter, value)?;
        *self = Self::checked(self.family, settings)?;
        Ok(())
    }

    /// The preset that stands for this family and settings, if there is one.
    pub fn preset(&self) -> Option<&'static Preset> {
        let i = C::meant().iter().position(|meant| meant == self)?;
        C::PRESETS.get(i)
    }

    /// All that is offered by name, in order: the presets of each family, or the family itself if it has none.
    pub fn offered() -> Vec<Self> {
        let of_family = |family: &'static C::Family| {
            let is_of = |meant: &&Self| meant.family.entry().id == family.entry().id;
            let presets: Vec<Self> = C::meant().iter().filter(is_of).cloned().collect();
            if !presets.is_empty() {
                return presets;
            }
            // a family that needs a file or a script is offered once that is given
            let is_whole = |whole: &Self| !whole.settings.lacks_file() && !whole.settings.lacks_script();
            Some(Self::of(family)).filter(is_whole).into_iter().collect()
        };
        C::FAMILIES.iter().flat_map(of_family).collect()
    }

    /// Display name: the preset's, the file's, the script's, or the family's with its settings.
    pub fn name(&self) -> String {
        let family = self.family.entry().name;
        if let Some(file) = self.settings.file() {
            return file.name().to_owned();
        }
        if let Some(script) = self.settings.script() {
            return script.name().to_owned();
        }
        match (self.preset(), self.settings.to_string()) {
            (Some(preset), _) => preset.name.to_owned(),
            (None, settings) if settings.is_empty() => family.to_owned(),
            (None, settings) => format!("{family} ({})", settings.replace(',', ", ")),
        }
    }

    /// The short text for tables and legends: the name of its file or script, or its text form.
    pub fn short(&self) -> String {
        let file = self.settings.file().map(|file| file.name().to_owned());
        let own = file.or_else(|| Some(self.settings.script()?.name().to_owned()));
        own.unwrap_or_else(|| self.to_string())
    }

    /// One line of help: the preset's, or the family's.
    pub fn help(&self) -> &'static str {
        self.preset().map_or(self.family.entry().help, |preset| preset.help)
    }

    /// Paper and section that define it.
    pub fn source(&self) -> &'static str {
        self.family.entry().source
    }

    fn from_long_form(text: &str) -> Result<Self, UnknownId> {
        let (family, settings) = text.split_once(':').unwrap_or((text, ""));
        let found = C::FAMILIES.iter().find(|f| f.entry().id == family.trim());
        let unknown = || match C::PRESETS.iter().find(|preset| preset.id == family.trim()) {
            Some(Preset { id, means, .. }) => UnknownId::Preset { preset: id, means },
            None => UnknownId::entry(C::WHAT, family, ids::<C>().into_iter()),
        };
        let family = found.ok_or_else(unknown)?;
        let entry = family.entry();
        Self::checked(family, Settings::parse(entry.parameters, entry.name, settings)?)
    }

    fn checked(family: &'static C::Family, settings: Settings) -> Result<Self, UnknownId> {
        let of = || family.entry().name.to_owned();
        if settings.lacks_file() {
            return Err(UnknownId::Together {
                of: of(),
                why: "its file is missing; name it with --schedule or --estimates, or drop it on the page".to_owned(),
            });
        }
        if settings.lacks_script() {
            return Err(UnknownId::Together {
                of: of(),
                why: "its script is missing; name a file as script:mine.rhai, or write one on the page".to_owned(),
            });
        }
        family.check(&settings).map_err(|why| UnknownId::Together { of: of(), why })?;
        Ok(Configured { family, settings })
    }
}

/// What each preset of a catalogue means, in the order of the presets.
pub fn meant<C: Catalogue>() -> Vec<Configured<C>> {
    // every preset can be parsed, as a test checks
    C::PRESETS.iter().filter_map(|preset| Configured::from_long_form(preset.means).ok()).collect()
}

/// The ids of presets and families; a family may have the id of a preset.
fn ids<C: Catalogue>() -> Vec<&'static str> {
    let mut ids: Vec<&str> = C::PRESETS.iter().map(|preset| preset.id).collect();
    for family in C::FAMILIES {
        let id = family.entry().id;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

// not derived, because derived ones would also require these traits of the catalogue

impl<C: Catalogue> Clone for Configured<C> {
    fn clone(&self) -> Self {
        Configured { family: self.family, settings: self.settings.clone() }
    }
}

impl<C: Catalogue> PartialEq for Configured<C> {
    fn eq(&self, other: &Self) -> bool {
        self.family.entry().id == other.family.entry().id && self.settings == other.settings
    }
}

impl<C: Catalogue> fmt::Debug for Configured<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({self})", C::WHAT)
    }
}

impl<C: Catalogue> fmt::Display for Configured<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let family = self.family.entry().id;
        match (self.preset(), self.settings.to_string()) {
            (Some(preset), _) => f.write_str(preset.id),
            (None, settings) if settings.is_empty() => f.write_str(family),
            (None, settings) => write!(f, "{family}:{settings}"),
        }
    }
}

impl<C: Catalogue> FromStr for Configured<C> {
    type Err = UnknownId;

    fn from_str(text: &str) -> Result<Self, UnknownId> {
        let text = text.trim();
        Self::from_long_form(C::PRESETS.iter().find(|p| p.id == text).map_or(text, |p| p.means))
    }
}

/// Defines the type of what is chosen from a catalogue, in the crate of that catalogue, which gives it further methods.
/// It is used, written and read as a [`Configured`].
#[macro_export]
macro_rules! chosen_from {
    ($(#[$about:meta])* $name:ident, $catalogue:ty) => {
        $(#[$about])*
        #[derive(Clone, PartialEq)]
        pub struct $name($crate::catalogue::Configured<$catalogue>);

        impl $name {
            /// A family with everything at its default.
            pub fn of(family: &'static <$catalogue as $crate::catalogue::Catalogue>::Family) -> Self {
                $name($crate::catalogue::Configured::of(family))
            }

            /// All that is offered by name, in order: the presets of each family, or the family itself if it has none.
            pub fn offered() -> Vec<Self> {
                $crate::catalogue::Configured::offered().into_iter().map($name).collect()
            }
        }

        impl From<$crate::catalogue::Configured<$catalogue>> for $name {
            fn from(configured: $crate::catalogue::Configured<$catalogue>) -> Self {
                $name(configured)
            }
        }

        impl std::ops::Deref for $name {
            type Target = $crate::catalogue::Configured<$catalogue>;

            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl std::ops::DerefMut for $name {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.0
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::catalogue::UnknownId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map($name)
            }
        }

        $crate::serde_as_text!($name);
    };
}

// Enumerations from which users choose. Each value has an id, a name and a line of help, in one table.

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

// Values that are changes of what a file says. They are pairs of key and value; only the family knows which keys
// exist.

/// Longest text of all changes of a value, bytes.
const LONGEST: usize = 4_000;

/// Changes of what a file says, `key=value` each, in the order in which they are made. The same text is the same value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    text: &'static str,
}

impl Changes {
    /// Reads `key=value,key=value`; none where a pair has no `=`, or the text is too long.
    pub fn parse(text: &str) -> Option<Self> {
        let pairs = outside_brackets(text, ',').map(str::trim).filter(|pair| !pair.is_empty());
        pairs.map(|pair| pair.split_once('=')).try_fold(Changes::default(), |changes, pair| {
            let (key, value) = pair?;
            changes.with(key.trim(), value.trim())
        })
    }

    /// These changes with one more. A key that is there already takes the new value. None where the change cannot be a
    /// pair, or the text becomes too long.
    pub fn with(self, key: &str, value: &str) -> Option<Self> {
        // a key or value must not contain what separates pairs
        let is_one = |text: &str| outside_brackets(text, ',').count() == 1 && !text.chars().any(char::is_whitespace);
        if key.is_empty() || value.is_empty() || key.contains('=') || !is_one(key) || !is_one(value) {
            return None;
        }
        let mut pairs: Vec<(&str, &str)> = self.pairs().collect();
        match pairs.iter_mut().find(|(other, _)| *other == key) {
            Some((_, old)) => *old = value,
            None => pairs.push((key, value)),
        }
        let text = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",");
        (text.len() <= LONGEST).then(|| Changes { text: kept(text) })
    }

    /// Each change: key and value.
    pub fn pairs(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        outside_brackets(self.text, ',').filter_map(|pair| pair.split_once('='))
    }

    /// Whether nothing is changed.
    pub fn is_empty(self) -> bool {
        self.text.is_empty()
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

/// The same text, kept once for as long as the program runs, so that a value is as small as that of a choice.
fn kept(text: String) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    // no thread panics while it holds the lock
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept.get(&*text) {
        return found;
    }
    let own: &'static str = Box::leak(text.into_boxed_str());
    kept.insert(own);
    own
}

/// The parts of a text between separators, such as commas. Separators within parentheses, as in formulas, and within
/// brackets, as in names of nodes, do not count.
pub(super) fn outside_brackets(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |character| {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == separator && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_back_and_a_key_has_one_value() {
        let changes = Changes::parse("a=1, drain=n[1-3,5]@x/y,a=2").unwrap();
        assert_eq!(changes.to_string(), "a=2,drain=n[1-3,5]@x/y");
        assert_eq!(Changes::parse(&changes.to_string()), Some(changes));
        assert_eq!(changes.pairs().collect::<Vec<_>>(), [("a", "2"), ("drain", "n[1-3,5]@x/y")]);
        assert_eq!(Changes::parse(""), Some(Changes::default()));
        for wrong in ["a", "=1", "a=", "a=x y", "a=(1,2", &format!("a={}", "x".repeat(5000))] {
            let read = Changes::parse(wrong);
            assert!(read.is_none_or(|read| Changes::parse(&read.to_string()) == Some(read)), "{wrong}");
        }
    }
}
