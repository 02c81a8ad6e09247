//! What nodes must have (`--constraint`): features joined by `&` and `|`, sets of which one is for all nodes, and counts.

use super::nodes::Node;

/// The nodes of a site that a constraint allows, by their places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedNodes {
    /// Each node is one of these.
    Each(Vec<u32>),
    /// All nodes are of the same one of these sets (`[a|b]`).
    OneOf(Vec<Vec<u32>>),
    /// So many nodes at least are of each of these sets (`[a*2&b*4]`), the others are any.
    Counts(Vec<(u32, Vec<u32>)>),
}

impl AllowedNodes {
    /// Whether no node, or too few for a count, would do.
    pub fn are_none(&self) -> bool {
        match self {
            AllowedNodes::Each(nodes) => nodes.is_empty(),
            AllowedNodes::OneOf(sets) => sets.iter().all(Vec::is_empty),
            AllowedNodes::Counts(sets) => sets.iter().any(|(count, nodes)| nodes.len() < *count as usize),
        }
    }
}

/// A part of a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Count(u32),
    And,
    Or,
    Open(char),
    Close(char),
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let token = match first {
            '&' | ',' => Token::And,
            '|' => Token::Or,
            '(' | '[' => Token::Open(first),
            ')' | ']' => Token::Close(first),
            _ => {
                let is_end = |c: char| matches!(c, '&' | ',' | '|' | '(' | ')' | '[' | ']' | '*') || c.is_whitespace();
                let behind = rest.strip_prefix('*');
                let word = behind.unwrap_or(rest);
                let length = word.find(is_end).unwrap_or(word.len());
                if length == 0 {
                    return None;
                }
                found.push(match behind {
                    Some(_) => Token::Count(word[..length].parse().ok().filter(|&count| count > 0)?),
                    None => Token::Name(word[..length].to_owned()),
                });
                rest = word[length..].trim_start();
                continue;
            }
        };
        found.push(token);
        rest = rest[1..].trim_start();
    }
    Some(found)
}

/// The nodes that a constraint allows; none where it is not one. A feature that no node has allows no node.
pub fn allowed_nodes(constraint: &str, nodes: &[Node]) -> Option<AllowedNodes> {
    let tokens = tokens(constraint)?;
    let (tokens, is_bracketed) = match &tokens[..] {
        [Token::Open('['), inner @ .., Token::Close(']')] => (inner, true),
        all => (all, false),
    };
    let mut reader = ConstraintReader { tokens, nodes };
    let mut groups = vec![reader.group()?];
    let mut joints = Vec::new();
    while let [joint @ (Token::And | Token::Or), rest @ ..] = reader.tokens {
        joints.push(joint);
        reader.tokens = rest;
        groups.push(reader.group()?);
    }
    if !reader.tokens.is_empty() {
        return None;
    }
    if is_bracketed && !joints.is_empty() && joints.iter().all(|joint| **joint == Token::Or) {
        return Some(AllowedNodes::OneOf(groups.into_iter().map(|(_, nodes)| nodes).collect()));
    }
    if groups.iter().any(|(count, _)| *count > 0) {
        let counts = groups.into_iter().map(|(count, nodes)| (count.max(1), nodes));
        return Some(AllowedNodes::Counts(counts.collect()));
    }
    // from the left to the right, as Slurm does
    let mut groups = groups.into_iter().map(|(_, nodes)| nodes);
    let first = groups.next()?;
    let all = joints.into_iter().zip(groups).fold(first, |found, (joint, nodes)| joined(found, joint, &nodes));
    Some(AllowedNodes::Each(all))
}

fn joined(found: Vec<u32>, joint: &Token, others: &[u32]) -> Vec<u32> {
    if *joint == Token::And {
        return found.into_iter().filter(|node| others.binary_search(node).is_ok()).collect();
    }
    let mut all = found;
    all.extend(others);
    all.sort_unstable();
    all.dedup();
    all
}

struct ConstraintReader<'a> {
    tokens: &'a [Token],
    nodes: &'a [Node],
}

impl ConstraintReader<'_> {
    /// A feature, or features in parentheses, with its count (0 where it has none) and its nodes.
    fn group(&mut self) -> Option<(u32, Vec<u32>)> {
        let nodes = match self.tokens {
            [Token::Name(name), rest @ ..] => {
                self.tokens = rest;
                let has = |node: &Node| node.features.iter().any(|own| own == name);
                (0..).zip(self.nodes).filter(|(_, node)| has(node)).map(|(at, _)| at).collect()
            }
            [Token::Open(_), rest @ ..] => {
                self.tokens = rest;
                let (_, mut found) = self.group()?;
                while let [joint @ (Token::And | Token::Or), rest @ ..] = self.tokens {
                    self.tokens = rest;
                    let (_, others) = self.group()?;
                    found = joined(found, joint, &others);
                }
                let [Token::Close(_), rest @ ..] = self.tokens else { return None };
                self.tokens = rest;
                found
            }
            _ => return None,
        };
        if let [Token::Count(count), rest @ ..] = self.tokens {
            self.tokens = rest;
            return Some((*count, nodes));
        }
        Some((0, nodes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Site, Version};

    fn of(text: &str) -> Option<AllowedNodes> {
        let mut site = Site::plain(5, Version::default());
        for (node, features) in site.nodes.iter_mut().zip(["a", "a,b", "b", "b,c", ""]) {
            node.features = features.split(',').map(str::to_owned).collect();
        }
        allowed_nodes(text, &site.nodes)
    }

    #[test]
    fn features_are_joined_from_the_left() {
        let each = |text: &str| match of(text) {
            Some(AllowedNodes::Each(nodes)) => nodes,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(each("a"), [0, 1]);
        assert_eq!((each("a&b"), each("a,b"), each(" a & b ")), (vec![1], vec![1], vec![1]));
        assert_eq!(each("a|c"), [0, 1, 3]);
        assert_eq!(each("a|b&c"), [3], "no sign goes before the other");
        assert_eq!(each("a|(b&c)"), [0, 1, 3]);
        assert_eq!(each("(a|b)&c"), [3]);
        assert!(each("d").is_empty());
        assert_eq!(each("[a]"), [0, 1]);
    }

    #[test]
    fn sets_and_counts_are_told_apart() {
        let sets = vec![vec![0, 1], vec![3]];
        assert_eq!(of("[a|c]"), Some(AllowedNodes::OneOf(sets)));
        let counts = vec![(2, vec![0, 1]), (1, vec![3])];
        assert_eq!(of("[a*2&c*1]"), Some(AllowedNodes::Counts(counts.clone())));
        assert_eq!(of("[a*2&c]"), Some(AllowedNodes::Counts(counts)));
        assert_eq!(of("a*2"), Some(AllowedNodes::Counts(vec![(2, vec![0, 1])])));
        assert_eq!(of("[(a&b)*1&c*1]"), Some(AllowedNodes::Counts(vec![(1, vec![1]), (1, vec![3])])));
        for wrong in ["", "a&", "&a", "(a", "a)", "a*x", "a*0", "[a|b", "*2", "a b"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
