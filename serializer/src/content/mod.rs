//! What an object shows: its fields, or the elements of a JDK collection in the order its type promises.

mod chains;
mod read;

pub use chains::Chains;

use crate::shape::{Form, Shape, Shapes};
use crate::view::View;
use poldet_vm::ids::ObjRef;
use std::rc::Rc;

/// What stands in a field or an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    Prim { letter: u8, bits: u64 },
    Ref(ObjRef),
}

impl Slot {
    /// A primitive; every not-a-number is the same.
    pub fn primitive(letter: u8, bits: u64) -> Slot {
        let bits = canonical(letter, bits);
        Slot::Prim { letter, bits }
    }
}

/// The bits by which a primitive compares: a program can hardly tell one not-a-number from another.
pub fn canonical(letter: u8, bits: u64) -> u64 {
    match letter {
        b'F' if f32::from_bits(bits as u32).is_nan() => u64::from(f32::NAN.to_bits()),
        b'D' if f64::from_bits(bits).is_nan() => f64::NAN.to_bits(),
        _ => bits,
    }
}

fn canonical_bytes(letter: u8, mut bytes: Vec<u8>) -> Vec<u8> {
    match letter {
        b'F' => {
            for chunk in bytes.chunks_exact_mut(4) {
                if let Ok(word) = <[u8; 4]>::try_from(&*chunk)
                    && f32::from_le_bytes(word).is_nan()
                {
                    chunk.copy_from_slice(&f32::NAN.to_le_bytes());
                }
            }
        }
        b'D' => {
            for chunk in bytes.chunks_exact_mut(8) {
                if let Ok(word) = <[u8; 8]>::try_from(&*chunk)
                    && f64::from_le_bytes(word).is_nan()
                {
                    chunk.copy_from_slice(&f64::NAN.to_le_bytes());
                }
            }
        }
        _ => {}
    }
    bytes
}

/// An entry of a map, with the node that holds it where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: ObjRef,
    pub value: ObjRef,
    pub node: ObjRef,
}

/// An element and the node that holds it, or null.
pub type Held = (ObjRef, ObjRef);

#[derive(Clone, Debug, PartialEq)]
pub enum Items {
    None,
    /// An array: elements by index.
    Array(Vec<ObjRef>),
    Prims {
        letter: u8,
        size: u32,
        bytes: Vec<u8>,
    },
    /// Elements in order.
    List(Vec<Held>),
    /// Elements in no order.
    Bag(Vec<Held>),
    Map {
        entries: Vec<Entry>,
        ordered: bool,
    },
    Text(String),
}

pub struct Content {
    pub shape: Rc<Shape>,
    /// Places in the shape's fields, and what stands there; internal fields are left out.
    pub fields: Vec<(usize, Slot)>,
    pub items: Items,
}

/// Reads what an object shows. Elements of a chain that was cut or runs in a circle are read once.
pub fn content(view: View<'_>, shapes: &mut Shapes, o: ObjRef) -> Content {
    let shape = shapes.of_object(view.vm, o);
    let object = view.object(o);
    let items = match shape.form {
        Form::RefArray => Items::Array((0..object.len()).map(|i| object.element(i)).collect()),
        Form::PrimArray { letter, size } => Items::Prims {
            letter,
            size,
            bytes: canonical_bytes(letter, object.bytes().to_vec()),
        },
        _ => match shape.adapter {
            Some(ref adapter) => read::items(view, shapes, adapter, o).unwrap_or(Items::None),
            None => Items::None,
        },
    };
    let mut fields = Vec::new();
    for (i, f) in shape.fields.iter().enumerate() {
        if !f.internal {
            fields.push((i, f.slot(&object)));
        }
    }
    Content { shape, fields, items }
}

/// The first `count` characters of a string's bytes.
pub fn text_of(bytes: &[u8], wide: bool, count: usize) -> String {
    if wide {
        let units = bytes.chunks_exact(2).map(|c| u16::from_le_bytes([c[0], c[1]]));
        let units: Vec<u16> = units.take(count).collect();
        String::from_utf16_lossy(&units)
    } else {
        bytes.iter().take(count).map(|b| char::from(*b)).collect()
    }
}
