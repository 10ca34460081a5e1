//! Stand-ins for what most Java programs do most: looking up a string in a map, an element of a list, the check of an
//! index. Each answers the common case only; anything else is left to the Java body.

use crate::java_lang::{decline, string};
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{Ctx, int};
use poldet_vm::natives::table::{Native, instead};
use poldet_vm::stop::Stop;

const MAP: &str = "java/util/HashMap";
const NODE: &str = "java/util/HashMap$Node";
const CONCURRENT: &str = "java/util/concurrent/ConcurrentHashMap";
const CONCURRENT_NODE: &str = "java/util/concurrent/ConcurrentHashMap$Node";
const LIST: &str = "java/util/ArrayList";
const OBJECTS: &str = "java/util/Objects";
const CHECKS: &str = "jdk/internal/util/Preconditions";

pub const TABLE: &[Native] = &[
    instead(
        MAP,
        "getNode",
        "(Ljava/lang/Object;)Ljava/util/HashMap$Node;",
        hash_map_node,
    ),
    instead(
        CONCURRENT,
        "get",
        "(Ljava/lang/Object;)Ljava/lang/Object;",
        concurrent_get,
    ),
    instead(LIST, "get", "(I)Ljava/lang/Object;", array_list_get),
    instead(OBJECTS, "checkIndex", "(II)I", check_index),
    instead(
        CHECKS,
        "checkIndex",
        "(IILjava/util/function/BiFunction;)I",
        check_index,
    ),
    instead(OBJECTS, "checkFromToIndex", "(III)I", check_from_to),
    instead(
        CHECKS,
        "checkFromToIndex",
        "(IIILjava/util/function/BiFunction;)I",
        check_from_to,
    ),
    instead(OBJECTS, "checkFromIndexSize", "(III)I", check_from_size),
    instead(
        CHECKS,
        "checkFromIndexSize",
        "(IIILjava/util/function/BiFunction;)I",
        check_from_size,
    ),
];

/// The key, a string, and its hash as both kinds of map spread it.
fn string_key(c: &mut Ctx<'_>) -> Result<(ObjRef, i32), Stop> {
    let key = c.obj(1);
    if key.is_null() || c.vm.class_of(key) != c.vm.known.string {
        return Err(decline());
    }
    let hash = string::hash_of(c.vm, key).ok_or_else(decline)?;
    Ok((key, hash ^ (hash as u32 >> 16) as i32))
}

/// The first node of the bin for `hash`; null for an empty table or bin.
fn first_node(c: &mut Ctx<'_>, map: &'static str, hash: i32) -> ObjRef {
    let table = c.vm.load_ref_field(c.obj(0), map, "table");
    if table.is_null() {
        return ObjRef::NULL;
    }
    match c.vm.heap.array_len(table) {
        0 => ObjRef::NULL,
        n => c.vm.heap.elem_load_ref(table, (n - 1) & hash as u32),
    }
}

/// The node of a chain with this key; null if there is none.
fn find(
    c: &mut Ctx<'_>,
    mut node: ObjRef,
    class: &'static str,
    (key, hash): (ObjRef, i32),
) -> Result<ObjRef, Stop> {
    let (hash_at, key_at, next_at) = (
        c.vm.off(class, "hash")?,
        c.vm.off(class, "key")?,
        c.vm.off(class, "next")?,
    );
    while !node.is_null() {
        if c.vm.heap.load_i32(node, hash_at) == hash {
            let other = c.vm.heap.load_ref(node, key_at);
            if string::equal(c.vm, key, other).ok_or_else(decline)? {
                return Ok(node);
            }
        }
        node = c.vm.heap.load_ref(node, next_at);
    }
    Ok(ObjRef::NULL)
}

fn hash_map_node(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (key, hash) = string_key(c)?;
    let first = first_node(c, MAP, hash);
    if first.is_null() {
        return Ok(0);
    }
    // A tree compares its keys in its own order.
    let class = c.vm.class(c.vm.class_of(first)).name;
    if c.vm.syms.bytes(class).ends_with(b"$TreeNode") {
        return Err(decline());
    }
    Ok(find(c, first, NODE, (key, hash))?.bits())
}

fn concurrent_get(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (key, hash) = string_key(c)?;
    let hash = hash & i32::MAX;
    let first = first_node(c, CONCURRENT, hash);
    if first.is_null() {
        return Ok(0);
    }
    // Trees and bins on the move have negative hashes.
    if c.vm.load_int_field(first, CONCURRENT_NODE, "hash") < 0 {
        return Err(decline());
    }
    let node = find(c, first, CONCURRENT_NODE, (key, hash))?;
    if node.is_null() {
        return Ok(0);
    }
    Ok(c.vm.load_ref_field(node, CONCURRENT_NODE, "val").bits())
}

fn array_list_get(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (list, index) = (c.obj(0), c.int(1) as u32);
    let size = c.vm.load_int_field(list, LIST, "size");
    let elements = c.vm.load_ref_field(list, LIST, "elementData");
    if size < 0 || index >= size as u32 || elements.is_null() || index >= c.vm.heap.array_len(elements) {
        return Err(decline());
    }
    Ok(c.vm.heap.elem_load_ref(elements, index).bits())
}

fn check_index(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (index, length) = (c.int(0), c.int(1));
    if (0..length).contains(&index) {
        Ok(int(index))
    } else {
        Err(decline())
    }
}

fn check_from_to(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, to, length) = (c.int(0), c.int(1), c.int(2));
    if 0 <= from && from <= to && to <= length {
        Ok(int(from))
    } else {
        Err(decline())
    }
}

fn check_from_size(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (from, size, length) = (c.int(0), c.int(1), c.int(2));
    if (length | from | size) >= 0 && size <= length - from {
        Ok(int(from))
    } else {
        Err(decline())
    }
}
