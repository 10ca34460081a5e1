//! Every method of the JDK lowers, to ops that keep their own rules; mutated methods lower or are refused.

mod common;

use poldet_vm::classfile::{ClassFile, MemberInfo};
use poldet_vm::jimage::Entry;
use poldet_vm::link::lower::{lower, ref_map};
use poldet_vm::link::op::{Lowered, Op, Switch};
use std::time::{Duration, Instant};

fn check(class: &ClassFile, method: &MemberInfo, lowered: &Lowered) -> Result<(), String> {
    let code = class.code(method).expect("code");
    let count = lowered.ops.len() as i64;
    let in_range = |what: &str, target: i64| {
        if (0..count).contains(&target) {
            Ok(())
        } else {
            Err(format!("{what} leads to {target} of {count}"))
        }
    };
    if lowered.bcis.len() != lowered.ops.len() {
        return Err("bcis and ops differ in length".into());
    }
    if lowered.regs != u32::from(code.max_locals) + u32::from(code.max_stack) + 1 {
        return Err("wrong number of registers".into());
    }
    for (at, op) in lowered.ops.iter().enumerate() {
        let shape = shape(op);
        for reg in shape.regs.iter().flatten() {
            if u32::from(*reg) >= lowered.regs {
                return Err(format!("{op:?} uses register {reg} of {}", lowered.regs));
            }
        }
        if let Some(off) = shape.off {
            in_range("branch", at as i64 + i64::from(off))?;
        }
        match *op {
            Op::TableSwitch { table, .. } | Op::LookupSwitch { table, .. } => {
                let switch = lowered.switches.get(table as usize).ok_or("no such switch")?;
                let (Switch::Table { default, offs, .. } | Switch::Lookup { default, offs, .. }) = switch;
                for off in offs.iter().chain([default]) {
                    in_range("switch", at as i64 + i64::from(*off))?;
                }
            }
            _ => {}
        }
    }
    for h in &lowered.handlers {
        in_range("handler", h.target.into())?;
        if h.start >= h.end || i64::from(h.end) > count {
            return Err(format!("{h:?} of {count} ops"));
        }
    }
    match lowered.ops.last() {
        Some(op) if ends(op) => Ok(()),
        last => Err(format!("ends with {last:?}")),
    }
}

/// Whether control never goes on to the next op.
#[rustfmt::skip]
fn ends(op: &Op) -> bool {
    use Op::*;
    matches!(op, Jmp { .. } | TableSwitch { .. } | LookupSwitch { .. } | Jsr { .. } | RetSub { .. } | Throw { .. }
        | RetVoid | Ret { .. } | RetZ { .. } | RetB { .. } | RetC { .. } | RetS { .. })
}

struct Shape {
    regs: [Option<u16>; 3],
    off: Option<i32>,
}

/// Registers and offset of an op, read from its debug form so that no op is forgotten.
fn shape(op: &Op) -> Shape {
    let text = format!("{op:?}");
    let mut shape = Shape {
        regs: [None; 3],
        off: None,
    };
    let Some((_, fields)) = text.split_once('{') else {
        return shape;
    };
    let mut next = 0;
    let mut args = 0;
    for field in fields.trim_end_matches('}').split(',') {
        let Some((name, value)) = field.split_once(':') else {
            continue;
        };
        let value: i64 = value.trim().parse().expect("a number");
        match name.trim() {
            "d" | "a" | "b" | "s" | "arr" | "i" | "v" | "obj" | "len" | "args"
                if !text.starts_with("Const") || name.trim() == "d" =>
            {
                shape.regs[next] = Some(value as u16);
                next += 1;
                args = value;
            }
            "n" | "dims" if value > 0 => {
                shape.regs[next] = Some((args + value - 1) as u16);
                next += 1;
            }
            "off" => shape.off = Some(value as i32),
            _ => {}
        }
    }
    shape
}

#[derive(Default)]
struct Totals {
    methods: usize,
    bytes: usize,
    ops: usize,
    moves: usize,
    time: Duration,
    longest: Duration,
}

fn lower_all(feature: u32, wanted: impl Fn(&Entry) -> bool) {
    let Some(image) = common::image(feature) else {
        return;
    };
    let mut totals = Totals::default();
    let mut wrong = Vec::new();
    for entry in image.entries().filter(|e| e.is_class() && wanted(e)) {
        let class = ClassFile::parse(entry.content).expect("a JDK class");
        for method in &class.methods {
            let Some(code) = class.code(method) else { continue };
            let start = Instant::now();
            let result = lower(&class, method);
            let time = start.elapsed();
            totals.time += time;
            totals.longest = totals.longest.max(time);
            totals.methods += 1;
            totals.bytes += code.bytes.len();
            let checked = result.map_err(|e| e.0).and_then(|lowered| {
                totals.ops += lowered.ops.len();
                totals.moves += lowered
                    .ops
                    .iter()
                    .filter(|op| matches!(op, Op::Mov { .. }))
                    .count();
                check(&class, method, &lowered)
            });
            if let Err(e) = checked {
                let name = String::from_utf8_lossy(class.utf8(method.name).unwrap_or_default());
                wrong.push(format!("{}.{name}: {e}", entry.name()));
            }
        }
    }
    let Totals {
        methods,
        bytes,
        ops,
        moves,
        time,
        longest,
    } = totals;
    println!(
        "JDK {feature}: {methods} methods, {bytes} bytes to {ops} ops ({moves} moves) in {time:?}, \
         {:?} each, longest {longest:?}",
        time / methods.max(1) as u32
    );
    assert!(
        wrong.is_empty(),
        "{} wrong: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
}

#[test]
fn java_base_lowers() {
    lower_all(17, |e| e.module == "java.base");
}

#[test]
#[ignore = "takes long without optimisation"]
fn all_modules_of_jdk_17_lower() {
    lower_all(17, |_| true);
}

#[test]
#[ignore = "takes long without optimisation"]
fn all_modules_of_jdk_25_lower() {
    lower_all(25, |_| true);
}

/// A frame map exists for every op that can stand still, and names only registers of the frame.
#[test]
fn ref_maps_stay_inside_the_frame() {
    let Some(image) = common::image(17) else { return };
    let classes = image
        .entries()
        .filter(|e| e.is_class() && e.module == "java.base" && e.parent == "java/util");
    for entry in classes.step_by(5) {
        let class = ClassFile::parse(entry.content).expect("a JDK class");
        for method in &class.methods {
            let Some(code) = class.code(method).filter(|c| c.bytes.len() < 500) else {
                continue;
            };
            let lowered = lower(&class, method).expect("a JDK method");
            for &bci in &lowered.bcis {
                let all = ref_map(&class, method, bci, false).expect("a map");
                let below = ref_map(&class, method, bci, true).expect("a map");
                assert!(all.regs.is_sorted() && all.regs.iter().all(|&r| u32::from(r) < lowered.regs - 1));
                assert!(below.regs.iter().all(|r| all.regs.contains(r)));
                let locals = |regs: &[u16]| regs.iter().filter(|&&r| r < code.max_locals).count();
                assert_eq!(locals(&all.regs), locals(&below.regs));
            }
        }
    }
}

/// Bytes of code flipped at random: never a panic, never long, and what is accepted keeps the rules.
#[test]
fn mutated_code_is_lowered_or_refused() {
    let Some(image) = common::image(17) else { return };
    let mut seed = 0x2545_F491_4F6C_DD1Du64;
    let mut random = move |limit: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % limit as u64) as usize
    };
    let (mut accepted, mut refused) = (0, 0);
    let classes = image
        .entries()
        .filter(|e| e.is_class() && e.module == "java.base");
    for entry in classes.step_by(11) {
        let original = ClassFile::parse(entry.content).expect("a JDK class");
        for _ in 0..4 {
            let mut bytes = entry.content.to_vec();
            for method in &original.methods {
                let Some(code) = original.code(method) else {
                    continue;
                };
                let at = code.bytes.as_ptr() as usize - entry.content.as_ptr() as usize;
                for _ in 0..1 + random(3) {
                    // Also max_stack, max_locals and the exception table now and then.
                    let (from, len) = match random(8) {
                        0 => (at - 8, 4),
                        1 if !code.handlers.is_empty() => (at + code.bytes.len() + 2, code.handlers.len()),
                        _ => (at, code.bytes.len()),
                    };
                    bytes[from + random(len)] = if random(2) == 0 { random(202) } else { random(256) } as u8;
                }
            }
            let Ok(class) = ClassFile::parse(bytes.leak()) else {
                continue;
            };
            for method in class.methods.iter().filter(|m| class.code(m).is_some()) {
                let start = Instant::now();
                match lower(&class, method) {
                    Ok(lowered) => {
                        check(&class, method, &lowered).expect("sound ops");
                        let bci = lowered.bcis[random(lowered.bcis.len())];
                        ref_map(&class, method, bci, random(2) == 0).expect("a map");
                        accepted += 1;
                    }
                    Err(_) => refused += 1,
                }
                assert!(
                    start.elapsed() < Duration::from_secs(5),
                    "{} takes too long",
                    entry.name()
                );
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 100 && refused > 100);
}
