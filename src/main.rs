//! The `poldet` command.

fn main() {}
