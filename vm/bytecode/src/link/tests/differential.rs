//! Random programs do the same as bytecode and as ops.

use super::execute::{run_bytecode, run_ops};
use super::program::{Program, Random};
use crate::link::lower::lower;

fn agree(seed: u64, programs: usize) {
    let mut random = Random(seed);
    let (mut thrown, mut longest) = (0, 0);
    for round in 0..programs {
        let asm = Program::generate(&mut random);
        let class = asm.class_file();
        let lowered = lower(&class, &class.methods[0]).unwrap_or_else(|e| panic!("round {round}: {}", e.0));
        longest = longest.max(lowered.ops.len());
        for case in 0..4u64 {
            let mut args: Vec<u64> = (0..4)
                .map(|_| random.below(7) as u64 + case * 0x4000_0000)
                .collect();
            for _ in 0..2 {
                args.extend([random.0 >> (case * 20), 0xDEAD]);
            }
            args.extend((0..2).map(|_| u64::from((random.below(9) as f32 - 4.0).to_bits())));
            for _ in 0..2 {
                args.extend([(random.below(9) as f64 - 4.0).to_bits(), 0xDEAD]);
            }
            let expected = run_bytecode(&class, &args);
            let actual = run_ops(&class, &lowered, &args, asm.max_locals.into());
            assert_eq!(
                expected, actual,
                "round {round} case {case}: {:#?}\ncode {:?}",
                lowered.ops, asm.code
            );
            assert!(expected.thrown || expected.result.is_some(), "out of fuel");
            thrown += usize::from(expected.thrown);
        }
    }
    println!("{programs} programs agree, {thrown} runs ended by an exception, longest {longest} ops");
}

#[test]
fn random_programs_agree() {
    agree(0x9E37_79B9_7F4A_7C15, 3_000);
}

#[test]
#[ignore = "takes long"]
fn many_random_programs_agree() {
    for seed in 1..40 {
        agree(seed * 0x9E37_79B9, 20_000);
    }
}
