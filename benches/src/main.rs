//! Measures poldet against `java`, as ratios within one run.
fn main() {}
