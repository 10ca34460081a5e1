//! What `poldet inject` finds out: which deletions of statements make tests order-dependent.

use crate::{Outcome, SearchHead, SearchPlace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a test of a mutated class depends on the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OdType {
    /// Passes alone.
    Victim,
    /// Fails alone.
    Brittle,
    /// Alone it does both: not order-dependent.
    Nod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    Assertion,
    Exception,
}

/// What the deleted statement did for the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// It protected its own test from what others leave: without it the test is a victim.
    Cleaner,
    /// It made what its own test needs: without it the test is brittle.
    StateSetter,
    /// It cleaned up after its own test: without it that test is a polluter.
    CleanUp,
    Other,
}

/// A test with passing and failing orders in a mutated class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OdTest {
    pub test: String,
    #[serde(rename = "type")]
    pub kind: OdType,
    pub passing_order: Vec<String>,
    pub failing_order: Vec<String>,
    pub failure: FailureKind,
    pub message: Option<String>,
    pub polluters: Vec<Vec<String>>,
    pub state_setters: Vec<Vec<String>>,
    pub cleaners: Vec<Vec<String>>,
    pub state: Vec<SearchPlace>,
}

/// A test that did not pass and did not fail in some order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoVerdict {
    pub test: String,
    pub outcome: Outcome,
}

/// A class without one of its statements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mutant {
    pub id: String,
    pub class: String,
    /// The test, or with `--fixtures` the fixture, that lost a statement.
    pub test: String,
    pub file: String,
    pub line: u32,
    pub statement: String,
    /// It compiles.
    pub valid: bool,
    /// Why a valid mutant was not evaluated.
    pub why_not: Option<String>,
    pub orders: u32,
    pub role: Option<Role>,
    pub od_tests: Vec<OdTest>,
    pub no_verdict: Vec<NoVerdict>,
    /// What kept changes of tests of its class from counting: orders that differ only in such changes did not all run.
    #[serde(default)]
    pub assumes: Vec<String>,
    /// Relative to the folder of the data set.
    pub patch: Option<String>,
}

impl Mutant {
    /// Has it an order-dependent test?
    pub fn is_od(&self) -> bool {
        self.od_tests.iter().any(|t| t.kind != OdType::Nod)
    }

    fn has(&self, fits: impl Fn(&OdTest) -> bool) -> bool {
        self.od_tests.iter().any(|t| t.kind != OdType::Nod && fits(t))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unstable {
    pub test: String,
    pub why: String,
}

/// Sources and classes that were not mutated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    pub what: String,
    pub why: String,
}

/// Table I of the paper. Counts but for the two ratios.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InjectMetrics {
    pub stable_tests: usize,
    pub mutants: usize,
    pub valid_mutants: usize,
    pub od_mutants: usize,
    pub od_tests_ratio: f64,
    pub od_classes_ratio: f64,
    pub brittles: usize,
    pub victims: usize,
    pub assertion: usize,
    pub exceptions: usize,
}

impl InjectMetrics {
    /// The counts of these mutants; the ratios are left to whoever knows all tests.
    pub fn of<'a>(stable_tests: usize, mutants: impl IntoIterator<Item = &'a Mutant>) -> InjectMetrics {
        let mut metrics = InjectMetrics {
            stable_tests,
            ..InjectMetrics::default()
        };
        for mutant in mutants {
            metrics.mutants += 1;
            metrics.valid_mutants += usize::from(mutant.valid);
            metrics.od_mutants += usize::from(mutant.is_od());
            metrics.brittles += usize::from(mutant.has(|t| t.kind == OdType::Brittle));
            metrics.victims += usize::from(mutant.has(|t| t.kind == OdType::Victim));
            metrics.assertion += usize::from(mutant.has(|t| t.failure == FailureKind::Assertion));
            metrics.exceptions += usize::from(mutant.has(|t| t.failure == FailureKind::Exception));
        }
        metrics
    }
}

/// A test class, its properties and its metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InjectClass {
    pub class: String,
    pub tests: usize,
    pub static_fields: usize,
    pub fixture: bool,
    #[serde(flatten)]
    pub metrics: InjectMetrics,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Correlation {
    pub rho: f64,
    pub p: f64,
    pub n: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RankSum {
    pub u: f64,
    pub p: f64,
    pub n1: usize,
    pub n2: usize,
}

/// The statistics of RQ3; none where there is too little data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InjectStatistics {
    pub spearman_class_size: Option<Correlation>,
    pub spearman_static_fields: Option<Correlation>,
    pub mann_whitney_fixture: Option<RankSum>,
    pub cliffs_delta_fixture: Option<f64>,
}

/// Order-dependent tests of the suite as it is, in the same orders (RQ1).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unmutated {
    pub od_tests: Vec<String>,
    pub od_tests_ratio: f64,
    pub od_classes_ratio: f64,
}

/// Changes that were taken for none when orders were not run as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InjectAssumption {
    /// An ignore rule, or `kind` and the kind of change.
    pub uncounted: String,
    /// How many mutants it concerns.
    pub mutants: usize,
    /// The tests that made such changes, and no others, as they are.
    pub tests: Vec<String>,
}

/// One mutated test and what became of its mutants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InjectTest {
    pub test: String,
    #[serde(flatten)]
    pub metrics: InjectMetrics,
}

/// How statements were found, and what makes a deletion valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatementsFrom {
    /// Those of the syntax; the compiler takes the file without one.
    Source,
    /// Ranges of code with an empty stack at both ends; no local variable is read without a value then.
    Bytecode,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InjectDocument {
    #[serde(flatten)]
    pub head: SearchHead,
    pub orders: u32,
    pub reruns: u32,
    pub all_permutations: u32,
    /// Every order of every mutant ran as a whole: nothing was assumed.
    pub whole_orders: bool,
    pub statements_from: StatementsFrom,
    pub stable_tests: Vec<String>,
    pub unstable: Vec<Unstable>,
    pub left_out: Vec<LeftOut>,
    pub mutants: Vec<Mutant>,
    pub metrics: InjectMetrics,
    pub classes: Vec<InjectClass>,
    pub tests: Vec<InjectTest>,
    pub unmutated: Unmutated,
    pub assumptions: Vec<InjectAssumption>,
    pub statistics: InjectStatistics,
}

impl InjectDocument {
    pub fn new(head: SearchHead) -> InjectDocument {
        InjectDocument {
            head,
            orders: 0,
            reruns: 0,
            all_permutations: 0,
            whole_orders: false,
            statements_from: StatementsFrom::Source,
            stable_tests: Vec::new(),
            unstable: Vec::new(),
            left_out: Vec::new(),
            mutants: Vec::new(),
            metrics: InjectMetrics::default(),
            classes: Vec::new(),
            tests: Vec::new(),
            unmutated: Unmutated::default(),
            assumptions: Vec::new(),
            statistics: InjectStatistics::default(),
        }
    }
}
