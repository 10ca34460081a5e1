//! The types of generated expressions, with their names and their interesting constants.

use super::rng::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Bool,
    Byte,
    Short,
    Char,
    Int,
    Long,
    Float,
    Double,
    Text,
}

impl Ty {
    pub const ALL: [Ty; 9] = [
        Ty::Bool,
        Ty::Byte,
        Ty::Short,
        Ty::Char,
        Ty::Int,
        Ty::Long,
        Ty::Float,
        Ty::Double,
        Ty::Text,
    ];
    pub const NUMBERS: [Ty; 7] = [
        Ty::Byte,
        Ty::Short,
        Ty::Char,
        Ty::Int,
        Ty::Long,
        Ty::Float,
        Ty::Double,
    ];

    /// Any type; those with most instructions of their own more often.
    pub fn any(rng: &mut Rng) -> Ty {
        match rng.below(14) {
            n @ 0..9 => Ty::ALL[n],
            9 | 10 => Ty::Int,
            11 => Ty::Long,
            12 => Ty::Double,
            _ => Ty::Float,
        }
    }

    pub fn number(rng: &mut Rng) -> Ty {
        Ty::NUMBERS[rng.below(7)]
    }

    pub fn java(self) -> &'static str {
        match self {
            Ty::Bool => "boolean",
            Ty::Byte => "byte",
            Ty::Short => "short",
            Ty::Char => "char",
            Ty::Int => "int",
            Ty::Long => "long",
            Ty::Float => "float",
            Ty::Double => "double",
            Ty::Text => "String",
        }
    }

    pub fn boxed(self) -> &'static str {
        match self {
            Ty::Bool => "Boolean",
            Ty::Byte => "Byte",
            Ty::Short => "Short",
            Ty::Char => "Character",
            Ty::Int => "Integer",
            Ty::Long => "Long",
            Ty::Float => "Float",
            Ty::Double => "Double",
            Ty::Text => "String",
        }
    }

    /// In the names of static fields, arrays and helpers.
    pub fn letter(self) -> char {
        match self {
            Ty::Bool => 'Z',
            Ty::Byte => 'B',
            Ty::Short => 'S',
            Ty::Char => 'C',
            Ty::Int => 'I',
            Ty::Long => 'J',
            Ty::Float => 'F',
            Ty::Double => 'D',
            Ty::Text => 'T',
        }
    }

    pub fn is_integral(self) -> bool {
        !matches!(self, Ty::Bool | Ty::Float | Ty::Double | Ty::Text)
    }

    /// A constant, as Java source.
    pub fn constant(self, rng: &mut Rng) -> String {
        let small = rng.below(200) as i64 - 100;
        let special = rng.percent(50);
        match self {
            Ty::Bool => rng.pick(&["true", "false"]).into(),
            Ty::Byte if special => rng
                .pick(&["Byte.MIN_VALUE", "Byte.MAX_VALUE", "((byte) -1)", "((byte) 0x81)"])
                .into(),
            Ty::Byte => format!("((byte) {small})"),
            Ty::Short if special => rng
                .pick(&[
                    "Short.MIN_VALUE",
                    "Short.MAX_VALUE",
                    "((short) -1)",
                    "((short) 0x8001)",
                ])
                .into(),
            Ty::Short => format!("((short) {})", small * 201),
            Ty::Char if special => rng
                .pick(&["'\\0'", "'\\uffff'", "'\\u8000'", "'a'", "'Z'", "'\\u00ff'"])
                .into(),
            Ty::Char => format!("((char) {})", (small + 100) * 31),
            Ty::Int if special => rng.pick(&INTS).into(),
            Ty::Int if rng.percent(30) => format!("({})", rng.number() as i32),
            Ty::Int => format!("({small})"),
            Ty::Long if special => rng.pick(&LONGS).into(),
            Ty::Long if rng.percent(40) => format!("({}L)", rng.number() as i64),
            Ty::Long => format!("({small}L)"),
            Ty::Float if special => rng.pick(&FLOATS).into(),
            Ty::Float => format!("({}f)", small as f32 * 0.375),
            Ty::Double if special => rng.pick(&DOUBLES).into(),
            Ty::Double => format!("({}d)", small as f64 * 1.0625e-3),
            Ty::Text => rng.pick(&TEXTS).into(),
        }
    }
}

const INTS: [&str; 12] = [
    "Integer.MIN_VALUE",
    "Integer.MAX_VALUE",
    "(-1)",
    "0",
    "1",
    "31",
    "32",
    "0x7fff_fffe",
    "0xffff",
    "0x8000_0001",
    "(-65536)",
    "(1 << 30)",
];
const LONGS: [&str; 12] = [
    "Long.MIN_VALUE",
    "Long.MAX_VALUE",
    "(-1L)",
    "0L",
    "1L",
    "63L",
    "0x8000_0000L",
    "0xffff_ffffL",
    "(-0x8000_0000L)",
    "(1L << 62)",
    "0x7fff_ffff_ffff_fffeL",
    "(1L << 53)",
];
const FLOATS: [&str; 14] = [
    "Float.NaN",
    "Float.POSITIVE_INFINITY",
    "Float.NEGATIVE_INFINITY",
    "Float.MIN_VALUE",
    "Float.MAX_VALUE",
    "Float.MIN_NORMAL",
    "0.0f",
    "(-0.0f)",
    "1.0f",
    "(-1.0f)",
    "2.1474836E9f",
    "(-2.14748365E9f)",
    "9.223372E18f",
    "16777217f",
];
const DOUBLES: [&str; 14] = [
    "Double.NaN",
    "Double.POSITIVE_INFINITY",
    "Double.NEGATIVE_INFINITY",
    "Double.MIN_VALUE",
    "Double.MAX_VALUE",
    "Double.MIN_NORMAL",
    "0.0",
    "(-0.0)",
    "1.0",
    "(-1.0)",
    "2.147483648E9",
    "(-2.147483649E9)",
    "9.223372036854776E18",
    "0.1",
];
const TEXTS: [&str; 10] = [
    "\"\"",
    "\"a\"",
    "\"Zz\"",
    "\"abcabc\"",
    "\"0123456789\"",
    "\"\\u00e9\\u00df\"",
    "\"\\u4e2d\\u6587\"",
    "\"\\ud83d\\ude00\"",
    "\"-17\"",
    "\" x \"",
];
