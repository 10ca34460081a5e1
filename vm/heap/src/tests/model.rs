//! Random object graphs compared with a model: exactly the reachable objects survive, unchanged.

use super::allocation::assert_disjoint;
use super::*;

/// A small generator with a fixed seed: runs must repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

enum Shape {
    Node,
    Wide,
    Array,
    Bytes,
}

struct Object {
    at: ObjRef,
    shape: Shape,
    edges: Vec<Option<usize>>,
    fill: u8,
}

struct Model {
    heap: Heap,
    random: Random,
    objects: Vec<Option<Object>>,
    roots: Vec<usize>,
}

impl Model {
    fn add(&mut self) {
        let id = self.objects.len();
        let fill = id as u8;
        let (at, shape, edges) = match self.random.below(40) {
            0 => (self.heap.alloc_object(WIDE, WIDE_SIZE).unwrap(), Shape::Wide, 1),
            1..=5 => {
                let len = [0, 3, 40, 500, 5000, 12_000][self.random.below(6)];
                (
                    self.heap.alloc_array(OBJECTS, 2, len).unwrap(),
                    Shape::Array,
                    len as usize,
                )
            }
            6..=12 => {
                let len = [0, 9, 100, 1000, 9000, 20_000, 70_000][self.random.below(7)];
                let at = bytes(&mut self.heap, len).unwrap();
                assert!(
                    self.heap
                        .bytes(at)
                        .iter()
                        .step_by(rounds(1, 97) as usize)
                        .all(|&b| b == 0)
                );
                self.heap.bytes_mut(at).fill(fill);
                (at, Shape::Bytes, 0)
            }
            _ => (
                node(&mut self.heap, ObjRef::NULL, ObjRef::NULL, id as u64),
                Shape::Node,
                2,
            ),
        };
        self.objects.push(Some(Object {
            at,
            shape,
            edges: vec![None; edges],
            fill,
        }));
        self.roots.push(id);
    }

    /// Points a random field of one live object at another.
    fn link(&mut self) {
        let pick = |m: &mut Model| m.roots[m.random.below(m.roots.len())];
        let (from, to) = (pick(self), pick(self));
        let target = self.objects[to].as_ref().expect("a root").at;
        let edges = self.objects[from].as_ref().expect("a root").edges.len();
        if edges == 0 {
            return;
        }
        let edge = self.random.below(edges);
        let object = self.objects[from].as_mut().expect("a root");
        object.edges[edge] = Some(to);
        match object.shape {
            Shape::Array => self.heap.elem_put_ref(object.at, edge as u32, target),
            _ => self.heap.put_ref(object.at, 8 + 4 * edge as u32, target),
        }
    }

    fn collect(&mut self) {
        let roots: Vec<ObjRef> = self
            .roots
            .iter()
            .map(|&r| self.objects[r].as_ref().unwrap().at)
            .collect();
        let stats = collect(&mut self.heap, &roots);
        let mut reached = vec![false; self.objects.len()];
        let mut stack = self.roots.clone();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut reached[id], true) {
                stack.extend(self.objects[id].as_ref().unwrap().edges.iter().flatten());
            }
        }
        for (object, reached) in self.objects.iter_mut().zip(reached) {
            if !reached {
                *object = None;
            }
        }
        let mut expected: Vec<ObjRef> = self.objects.iter().flatten().map(|o| o.at).collect();
        expected.sort();
        assert!(
            expected == all_objects(&self.heap),
            "other survivors than the model's"
        );
        assert_eq!(stats.live_objects, expected.len() as u64);
        assert_eq!(
            stats.live_bytes,
            expected.iter().map(|&o| self.heap.size_of(o)).sum::<u64>()
        );
        assert_disjoint(&self.heap);
        self.check_contents();
    }

    fn check_contents(&self) {
        for (id, object) in self.objects.iter().enumerate() {
            let Some(Object {
                at,
                shape,
                edges,
                fill,
            }) = object
            else {
                continue;
            };
            let found: Vec<ObjRef> = match shape {
                Shape::Node => {
                    assert_eq!(self.heap.get_u64(*at, 16), id as u64);
                    vec![self.heap.get_ref(*at, 8), self.heap.get_ref(*at, 12)]
                }
                Shape::Wide => vec![self.heap.get_ref(*at, 8)],
                Shape::Array => self.heap.refs(*at).to_vec(),
                Shape::Bytes => {
                    assert!(
                        self.heap
                            .bytes(*at)
                            .iter()
                            .step_by(rounds(1, 97) as usize)
                            .all(|b| b == fill)
                    );
                    Vec::new()
                }
            };
            let at_of =
                |id: &Option<usize>| id.map_or(ObjRef::NULL, |id| self.objects[id].as_ref().unwrap().at);
            assert!(edges.iter().map(at_of).eq(found), "object {id} has changed");
        }
    }
}

#[test]
fn random_graphs_survive_as_the_model_says() {
    for seed in 1..=u64::from(rounds(6, 1)) {
        let mut model = Model {
            heap: heap(64 << 20),
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            objects: Vec::new(),
            roots: Vec::new(),
        };
        for round in 0..rounds(25, 3) {
            for _ in 0..rounds(400, 12) {
                model.add();
                for _ in 0..4 {
                    model.link();
                }
            }
            // Most roots go; some rounds clear almost everything.
            let keep = if round % 8 == 7 { 50 } else { 4 };
            let mut roots = std::mem::take(&mut model.roots);
            roots.retain(|_| model.random.below(keep) == 0);
            model.roots = roots;
            model.add();
            model.collect();
        }
    }
}
