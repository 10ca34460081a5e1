//! The whole shared state as data for other tools: triples, JSON and DOT, and the difference of two states with its
//! surroundings and the reference path back to a root.

use crate::finding::{Edge, Graph, Node, State};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Bfs;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// All that is reachable from the roots at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Ids of the nodes that stand for classes (their edges are the static fields) and for threads.
    pub roots: Vec<u32>,
    pub nodes: Vec<SnapNode>,
    pub edges: Vec<SnapEdge>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapNode {
    /// The same object has the same id before and after.
    pub id: u32,
    pub class: String,
    /// One line: `class shop.Registry`, `ArrayList(2)`, `"text"`.
    pub label: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SnapEdge {
    pub from: u32,
    /// A field's name, or an index in brackets.
    pub field: String,
    #[serde(flatten)]
    pub to: To,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum To {
    #[serde(rename = "to")]
    Node(u32),
    /// A number, a character, a boolean or `null`, as Java writes it.
    Value(String),
}

impl Snapshot {
    fn names(&self) -> BTreeMap<u32, String> {
        let roots: BTreeSet<u32> = self.roots.iter().copied().collect();
        let name = |n: &SnapNode| match roots.contains(&n.id) {
            true => n.label.clone(),
            false => format!("{}@{}", n.class, n.id),
        };
        self.nodes.iter().map(|n| (n.id, name(n))).collect()
    }

    /// A line for each edge, `object,field,object`, quoted as CSV where needed. Objects are written `class@id`.
    pub fn triples(&self) -> String {
        let names = self.names();
        let mut out = String::from("object,field,object\n");
        for edge in &self.edges {
            let from = name_of(&names, edge.from);
            let to = match &edge.to {
                To::Node(id) => name_of(&names, *id),
                To::Value(value) => value.clone(),
            };
            csv_line(&mut out, &[&from, &edge.field, &to]);
        }
        out
    }

    pub fn json(&self) -> String {
        json(self)
    }

    pub fn dot(&self, title: &str) -> String {
        let mut ids = Ids::of(self, &Snapshot::default());
        let mut graph = Graph::default();
        for node in &self.nodes {
            graph.nodes.push(drawn(node, State::Same));
        }
        for edge in &self.edges {
            ids.draw(&mut graph, edge, State::Same);
        }
        dot(&graph, title)
    }
}

fn json<T: Serialize>(value: &T) -> String {
    // Strings and numbers only: this cannot fail.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

fn name_of(names: &BTreeMap<u32, String>, id: u32) -> String {
    names.get(&id).cloned().unwrap_or_else(|| format!("?@{id}"))
}

fn csv_line(out: &mut String, fields: &[&str]) {
    for (i, field) in fields.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        if field.contains([',', '"', '\n', '\r']) {
            let _ = write!(out, "\"{}\"", field.replace('"', "\"\""));
        } else {
            out.push_str(field);
        }
    }
    out.push('\n');
}

/// Hands out ids for values, which are nodes only in drawings.
struct Ids {
    next: u32,
}

impl Ids {
    fn of(a: &Snapshot, b: &Snapshot) -> Ids {
        let last = a.nodes.iter().chain(&b.nodes).map(|n| n.id).max();
        Ids {
            next: last.map_or(0, |id| id.saturating_add(1)),
        }
    }

    fn draw(&mut self, graph: &mut Graph, edge: &SnapEdge, state: State) {
        let to = match &edge.to {
            To::Node(id) => *id,
            To::Value(value) => {
                let id = self.next;
                self.next += 1;
                graph.nodes.push(Node {
                    id,
                    label: value.clone(),
                    state,
                });
                id
            }
        };
        graph.edges.push(Edge {
            from: edge.from,
            to,
            label: edge.field.clone(),
            state,
        });
    }
}

fn drawn(node: &SnapNode, state: State) -> Node {
    Node {
        id: node.id,
        label: node.label.clone(),
        state,
    }
}

/// Unchanged neighbours drawn around an object whose fields changed.
const NEIGHBOURS: usize = 8;

/// What differs, with what is right around it and the shortest reference path to it from a root.
pub fn diff(before: &Snapshot, after: &Snapshot) -> Graph {
    let after = &apart(before, after);
    let old: BTreeSet<&SnapEdge> = before.edges.iter().collect();
    let new: BTreeSet<&SnapEdge> = after.edges.iter().collect();
    let removed: Vec<&SnapEdge> = before.edges.iter().filter(|e| !new.contains(e)).collect();
    let added: Vec<&SnapEdge> = after.edges.iter().filter(|e| !old.contains(e)).collect();
    let owners: BTreeSet<u32> = removed.iter().chain(&added).map(|e| e.from).collect();
    let mut same: BTreeSet<&SnapEdge> = BTreeSet::new();
    let mut paths = [Paths::new(after), Paths::new(before)];
    for owner in &owners {
        if let Some(path) = paths.iter_mut().find_map(|w| w.back(*owner)) {
            same.extend(path.into_iter().filter(|e| old.contains(e) && new.contains(e)));
        }
    }
    let mut around: BTreeMap<u32, usize> = BTreeMap::new();
    for edge in after.edges.iter().filter(|e| owners.contains(&e.from)) {
        let count = around.entry(edge.from).or_default();
        if old.contains(edge) && *count < NEIGHBOURS {
            *count += 1;
            same.insert(edge);
        }
    }
    draw_diff(before, after, &owners, &same, &removed, &added)
}

fn draw_diff(
    before: &Snapshot,
    after: &Snapshot,
    owners: &BTreeSet<u32>,
    same: &BTreeSet<&SnapEdge>,
    removed: &[&SnapEdge],
    added: &[&SnapEdge],
) -> Graph {
    let mut ids = Ids::of(before, after);
    let mut graph = Graph::default();
    let mut shown: BTreeSet<u32> = BTreeSet::new();
    let edges = same.iter().chain(removed).chain(added);
    for edge in edges {
        shown.insert(edge.from);
        if let To::Node(id) = edge.to {
            shown.insert(id);
        }
    }
    let was: BTreeMap<u32, &SnapNode> = before.nodes.iter().map(|n| (n.id, n)).collect();
    let is: BTreeMap<u32, &SnapNode> = after.nodes.iter().map(|n| (n.id, n)).collect();
    for id in shown {
        let (node, state) = match (was.get(&id), is.get(&id)) {
            (Some(_), Some(node)) if owners.contains(&id) => (node, State::Changed),
            (Some(_), Some(node)) => (node, State::Same),
            (None, Some(node)) => (node, State::Added),
            (Some(node), None) => (node, State::Removed),
            (None, None) => continue,
        };
        graph.nodes.push(drawn(node, state));
    }
    for edge in same {
        ids.draw(&mut graph, edge, State::Same);
    }
    for edge in removed {
        ids.draw(&mut graph, edge, State::Removed);
    }
    for edge in added {
        ids.draw(&mut graph, edge, State::Added);
    }
    graph
}

/// The state after, where an object that took the place of a collected one of another class gets an id of its own.
fn apart(before: &Snapshot, after: &Snapshot) -> Snapshot {
    let was: BTreeMap<u32, &str> = before.nodes.iter().map(|n| (n.id, n.class.as_str())).collect();
    let mut ids = Ids::of(before, after);
    let mut moved: BTreeMap<u32, u32> = BTreeMap::new();
    let mut after = after.clone();
    for node in &mut after.nodes {
        if was.get(&node.id).is_some_and(|class| *class != node.class) {
            moved.insert(node.id, ids.next);
            node.id = ids.next;
            ids.next += 1;
        }
    }
    if moved.is_empty() {
        return after;
    }
    let place = |id: &mut u32| {
        if let Some(new) = moved.get(id) {
            *id = *new;
        }
    };
    after.roots.iter_mut().for_each(place);
    for edge in &mut after.edges {
        place(&mut edge.from);
        if let To::Node(id) = &mut edge.to {
            place(id);
        }
    }
    after
}

/// Shortest reference paths from the roots to every object of a state.
struct Paths<'a> {
    /// The edge by which the search came to an object first.
    came_by: BTreeMap<u32, Option<&'a SnapEdge>>,
    /// Objects whose path has been asked for: a long list is walked once, not once for each of its nodes.
    walked: BTreeSet<u32>,
}

impl<'a> Paths<'a> {
    fn new(state: &'a Snapshot) -> Paths<'a> {
        let mut graph: DiGraph<u32, Option<&SnapEdge>> = DiGraph::new();
        let mut places: BTreeMap<u32, NodeIndex> = BTreeMap::new();
        for node in &state.nodes {
            places.insert(node.id, graph.add_node(node.id));
        }
        // One search from a node above all roots; petgraph yields the latest edge first, so they go in backwards.
        let top = graph.add_node(u32::MAX);
        for root in state.roots.iter().rev().filter_map(|r| places.get(r)) {
            graph.add_edge(top, *root, None);
        }
        for edge in state.edges.iter().rev() {
            let To::Node(to) = edge.to else { continue };
            if let (Some(from), Some(to)) = (places.get(&edge.from), places.get(&to)) {
                graph.add_edge(*from, *to, Some(edge));
            }
        }
        let mut came_by = BTreeMap::new();
        let mut search = Bfs::new(&graph, top);
        while let Some(at) = search.next(&graph) {
            let mut out = graph.neighbors(at).detach();
            while let Some((edge, to)) = out.next(&graph) {
                came_by.entry(graph[to]).or_insert(graph[edge]);
            }
        }
        Paths {
            came_by,
            walked: BTreeSet::new(),
        }
    }

    /// The edges from a root to an object, the last first, up to where an earlier answer goes on; nothing when no root leads
    /// there.
    fn back(&mut self, object: u32) -> Option<Vec<&'a SnapEdge>> {
        let mut path = Vec::new();
        let mut at = object;
        while let Some(edge) = self.came_by.get(&at)? {
            if !self.walked.insert(at) {
                break;
            }
            path.push(*edge);
            at = edge.from;
        }
        Some(path)
    }
}

/// The drawing of a graph for Graphviz.
pub fn dot(graph: &Graph, title: &str) -> String {
    let mut out = String::from("digraph {\n");
    let _ = writeln!(out, "  label={}; rankdir=LR;", quoted(title));
    out.push_str("  node [shape=box, fontname=\"monospace\", fontsize=10]; edge [fontname=\"monospace\", fontsize=9];\n");
    for node in &graph.nodes {
        let _ = writeln!(
            out,
            "  n{} [label={}{}];",
            node.id,
            quoted(&node.label),
            look(node.state)
        );
    }
    for edge in &graph.edges {
        let _ = writeln!(
            out,
            "  n{} -> n{} [label={}{}];",
            edge.from,
            edge.to,
            quoted(&edge.label),
            look(edge.state)
        );
    }
    out.push_str("}\n");
    out
}

/// Colour, and something that shows without colour.
fn look(state: State) -> &'static str {
    match state {
        State::Same => "",
        State::Changed => ", color=\"#b35900\", penwidth=2",
        State::Added => ", color=\"#1a7f37\", fontcolor=\"#1a7f37\", penwidth=2",
        State::Removed => ", color=\"#cf222e\", fontcolor=\"#cf222e\", style=dashed",
    }
}

/// A quoted string of DOT. Control characters become spaces: nothing else can be done with them there.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A line for each change: `-` or `+`, then the triple.
fn diff_triples(graph: &Graph) -> String {
    let labels: BTreeMap<u32, &str> = graph.nodes.iter().map(|n| (n.id, n.label.as_str())).collect();
    let mut out = String::from("change,object,field,object\n");
    for edge in &graph.edges {
        let mark = match edge.state {
            State::Added => "+",
            State::Removed => "-",
            State::Changed => "~",
            State::Same => "=",
        };
        let name = |id| labels.get(&id).copied().unwrap_or("?");
        csv_line(&mut out, &[mark, name(edge.from), &edge.label, name(edge.to)]);
    }
    out
}

/// Writes both states and their difference to a folder: `before`, `after` and `diff`, each as `.csv`, `.json`, `.dot`.
pub fn write(dir: &Path, title: &str, before: &Snapshot, after: &Snapshot) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    for (name, state) in [("before", before), ("after", after)] {
        std::fs::write(dir.join(format!("{name}.csv")), state.triples())?;
        std::fs::write(dir.join(format!("{name}.json")), state.json())?;
        let dot = state.dot(&format!("{title}: {name}"));
        std::fs::write(dir.join(format!("{name}.dot")), dot)?;
    }
    let graph = diff(before, after);
    std::fs::write(dir.join("diff.csv"), diff_triples(&graph))?;
    std::fs::write(dir.join("diff.json"), json(&graph))?;
    std::fs::write(
        dir.join("diff.dot"),
        dot(&graph, &format!("{title}: what changed")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: u32, class: &str, label: &str) -> SnapNode {
        SnapNode {
            id,
            class: class.into(),
            label: label.into(),
        }
    }

    fn edge(from: u32, field: &str, to: u32) -> SnapEdge {
        SnapEdge {
            from,
            field: field.into(),
            to: To::Node(to),
        }
    }

    fn value(from: u32, field: &str, value: &str) -> SnapEdge {
        SnapEdge {
            from,
            field: field.into(),
            to: To::Value(value.into()),
        }
    }

    fn before() -> Snapshot {
        Snapshot {
            roots: vec![1, 2],
            nodes: vec![
                node(1, "java.lang.Class", "class a.Far"),
                node(2, "java.lang.Class", "class a.Near"),
                node(3, "a.Box", "Box"),
                node(4, "a.List", "List(1)"),
                node(5, "java.lang.String", "\"x, \\\"y\\\"\""),
                node(6, "a.Unrelated", "Unrelated"),
            ],
            edges: vec![
                edge(1, "box", 3),
                edge(3, "list", 4),
                edge(2, "list", 4),
                edge(4, "[0]", 5),
                value(4, "size", "1"),
                edge(1, "other", 6),
            ],
        }
    }

    fn after() -> Snapshot {
        let mut state = before();
        state.nodes.push(node(7, "a.Item", "Item"));
        state.edges.push(edge(4, "[1]", 7));
        state.edges.push(value(7, "n", "null"));
        state.edges[4] = value(4, "size", "2");
        state
    }

    #[test]
    fn triples_and_json() {
        let triples = before().triples();
        let lines: Vec<&str> = triples.lines().collect();
        assert_eq!(lines[0], "object,field,object");
        assert_eq!(lines[1], "class a.Far,box,a.Box@3");
        assert_eq!(lines[5], "a.List@4,size,1");
        let mut quoted = before();
        quoted.edges = vec![value(4, "k", "a,\"b\"")];
        assert!(quoted.triples().ends_with("a.List@4,k,\"a,\"\"b\"\"\"\n"));
        let back: Snapshot = serde_json::from_str(&before().json()).unwrap();
        assert_eq!(back, before());
        let text: serde_json::Value = serde_json::from_str(&before().json()).unwrap();
        assert_eq!(text["edges"][0]["to"], 3);
        assert_eq!(text["edges"][4]["value"], "1");
    }

    #[test]
    fn drawings_are_escaped() {
        let dot = before().dot("a \"title\"\n");
        assert!(dot.contains("label=\"a \\\"title\\\"\\n\""), "{dot}");
        assert!(
            dot.contains("n5 [label=\"\\\"x, \\\\\\\"y\\\\\\\"\\\"\"];"),
            "{dot}"
        );
    }

    #[test]
    fn the_difference_with_the_shortest_way_back() {
        let graph = diff(&before(), &after());
        let state = |id: u32| graph.nodes.iter().find(|n| n.id == id).map(|n| n.state);
        assert_eq!(state(4), Some(State::Changed));
        assert_eq!(state(7), Some(State::Added));
        assert_eq!(state(5), Some(State::Same));
        // By class a.Near, not by the longer path through the box; what has nothing to do with it is not there.
        assert_eq!(state(2), Some(State::Same));
        assert_eq!(state(1), None);
        assert_eq!(state(3), None);
        assert_eq!(state(6), None);
        let changed: Vec<(&str, State)> = graph
            .edges
            .iter()
            .filter(|e| e.state != State::Same)
            .map(|e| (e.label.as_str(), e.state))
            .collect();
        assert_eq!(
            changed,
            [
                ("size", State::Removed),
                ("size", State::Added),
                ("[1]", State::Added),
                ("n", State::Added)
            ]
        );
        assert!(diff_triples(&graph).contains("-,List(1),size,1\n"));
        assert_eq!(diff(&before(), &before()), Graph::default());
    }

    #[test]
    fn a_place_used_again_is_another_object() {
        let mut after = before();
        after.nodes[2] = node(3, "a.Crate", "Crate");
        let graph = diff(&before(), &after);
        let mut states: Vec<(&str, State)> =
            graph.nodes.iter().map(|n| (n.label.as_str(), n.state)).collect();
        states.sort_by_key(|(l, _)| *l);
        assert!(states.contains(&("Box", State::Removed)));
        assert!(states.contains(&("Crate", State::Added)));
    }

    #[test]
    fn all_files_are_written() {
        let dir = std::env::temp_dir().join(format!("poldet-dump-{}", std::process::id()));
        write(&dir, "a.T#t", &before(), &after()).unwrap();
        for name in ["before", "after", "diff"] {
            for kind in ["csv", "json", "dot"] {
                assert!(dir.join(format!("{name}.{kind}")).is_file());
            }
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
