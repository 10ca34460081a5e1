//! The JSON document of a run (docs/json.md): written and read by these types.

use crate::{
    Cost, Finding, Fold, Kind, Label, Link, Outcome, Place, Pollution, Printed, Problem, ProblemKind,
    Resource, RunHead, SanitiseVerdict, Sanitised, SharedPlace, TestAccess, TestName, UsedAddress,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    #[serde(flatten)]
    pub head: RunHead,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// Tests that JUnit announced and that have no result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// What poldet itself did wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// In the order they ended.
    pub tests: Vec<Record>,
    #[serde(default)]
    pub class_output: Vec<ClassOutput>,
    /// What class fixtures did to the shared state, in the order they ran; nothing when it was not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixtures: Option<Vec<Fixture>>,
    /// Places that some test changes, with who changes and who reads them; only if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<Vec<SharedPlace>>,
    /// Real addresses that tests connected to, with the tests; only where the network is not closed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<UsedAddress>,
    /// What sanitised tests need.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<Resource>,
    /// The last lines of stack traces that many tests share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stack_tails: Vec<Vec<String>>,
    #[serde(default)]
    pub summary: Summary,
}

/// One run of one test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    #[serde(flatten, with = "NameFields")]
    pub test: TestName,
    pub outcome: Outcome,
    pub exception: Option<String>,
    pub message: Option<String>,
    /// The whole stack trace, line by line.
    pub stack: Vec<String>,
    /// The number of the document's `stack_tails` that it goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stack_tail: Option<usize>,
    #[serde(flatten, with = "cost_fields")]
    #[schemars(with = "cost_fields::Fields")]
    pub cost: Cost,
    #[serde(flatten, with = "PrintedIfAny")]
    pub printed: Printed,
    /// Absent when the shared state was not compared: nobody should read that as clean.
    #[serde(flatten)]
    pub state: Option<Pollution>,
    /// Absent when nothing was to be sanitised.
    #[serde(flatten)]
    pub sanitise: Option<SanitiseVerdict>,
    /// Its outcome when it runs alone, if that was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone: Option<Outcome>,
    /// Why it failed though it passes alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub polluted_by: Option<Link>,
    /// What it reads and changes, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub access: Option<TestAccess>,
}

/// A test's name among the fields of its record.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "TestName")]
struct NameFields {
    #[serde(skip)]
    root: Option<String>,
    class: String,
    method: Option<String>,
    parameters: Option<String>,
    invocation: Option<String>,
    display: String,
    id: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Printed")]
struct PrintedIfAny {
    #[serde(rename = "stdout", default, skip_serializing_if = "String::is_empty")]
    out: String,
    #[serde(rename = "stderr", default, skip_serializing_if = "String::is_empty")]
    err: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Printed")]
struct PrintedAlways {
    #[serde(rename = "stdout")]
    out: String,
    #[serde(rename = "stderr")]
    err: String,
}

/// What was printed outside of tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClassOutput {
    /// None where no class was at work.
    pub class: Option<String>,
    #[serde(flatten, with = "PrintedAlways")]
    pub printed: Printed,
}

/// What ran between tests did to the shared state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fixture {
    /// The class whose fixtures ran; JUnit itself when there is none.
    pub class: Option<String>,
    #[serde(flatten)]
    pub state: Pollution,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    pub classes: usize,
    pub tests: usize,
    pub passed: usize,
    pub failed: usize,
    pub error: usize,
    pub skipped: usize,
    pub unsupported: usize,
    pub timed_out: usize,
    pub crashed: usize,
    /// Nothing when the shared state was not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub polluters: Option<usize>,
    /// Tests that put back what others had changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleaners: Option<usize>,
    /// Failing tests that pass alone and whose polluters were found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub victims: Option<usize>,
    /// Failures that were put down to an assumption; they are among the skipped. Nothing when nobody asked for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sanitised: Option<usize>,
    /// Changed roots that ignore rules hid, of tests and fixtures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_by_rule: Option<BTreeMap<String, u32>>,
}

impl Record {
    pub fn new(test: TestName, outcome: Outcome) -> Record {
        Record {
            test,
            outcome,
            exception: None,
            message: None,
            stack: Vec::new(),
            stack_tail: None,
            cost: Cost::default(),
            printed: Printed::default(),
            state: None,
            sanitise: None,
            alone: None,
            polluted_by: None,
            access: None,
        }
    }

    /// Applies what sanitising says: a failure that is put down to an assumption is skipped. What the test ended in stays
    /// where it was.
    pub fn sanitised_by(&mut self, verdict: Option<SanitiseVerdict>) {
        if verdict.as_ref().is_some_and(|v| v.sanitised.is_some()) {
            self.outcome = Outcome::Skipped;
        }
        self.sanitise = verdict;
    }

    /// Why it was skipped, if its failure was put down to an assumption.
    pub fn sanitised(&self) -> Option<&Sanitised> {
        self.sanitise.as_ref()?.sanitised.as_deref()
    }

    /// Did it leave shared state behind?
    pub fn is_polluter(&self) -> bool {
        self.state.as_ref().is_some_and(|s| s.polluter)
    }

    /// The verdict on a test whose process ended before it did. The first line of the text is the message, the others stand
    /// where a stack trace would.
    pub fn of_end(test: TestName, outcome: Outcome, text: &str) -> Record {
        let mut record = Record::new(test, outcome);
        let mut lines = text.lines();
        record.message = lines.next().map(str::to_owned);
        record.stack = lines.map(str::to_owned).collect();
        record
    }

    /// Did it put back what another had changed?
    pub fn is_cleaner(&self) -> bool {
        self.state.as_ref().is_some_and(|s| s.restored().next().is_some())
    }

    /// The verdict on a test that JUnit has seen to its end.
    pub fn of_problems(test: TestName, problems: Vec<Problem>) -> Record {
        // An assumption only skips a test that has no other problem.
        let worst = problems
            .iter()
            .position(|p| p.kind != ProblemKind::Assumption)
            .or((!problems.is_empty()).then_some(0));
        let Some(first) = worst else {
            return Record::new(test, Outcome::Passed);
        };
        let outcome = match problems[first].kind {
            ProblemKind::Assertion => Outcome::Failed,
            ProblemKind::Error => Outcome::Error,
            ProblemKind::Assumption => Outcome::Skipped,
            ProblemKind::Limit => Outcome::Unsupported,
        };
        let mut record = Record::new(test, outcome);
        record.exception = Some(problems[first].exception.clone());
        record.message = problems[first].message.clone();
        record.stack = problems[first].stack.clone();
        for (i, problem) in problems.into_iter().enumerate() {
            if i != first {
                record.stack.push("Also:".into());
                record.stack.extend(problem.stack);
            }
        }
        record
    }
}

impl Cost {
    /// Whole microseconds are exact enough and short.
    pub fn millis(self) -> f64 {
        (self.nanos / 1000) as f64 / 1000.0
    }
}

impl Document {
    /// Of a run that has not begun.
    pub fn new(head: RunHead) -> Document {
        let fixtures = head.capture.as_ref().map(|_| Vec::new());
        Document {
            head,
            interrupted: false,
            missing: Vec::new(),
            faults: Vec::new(),
            tests: Vec::new(),
            class_output: Vec::new(),
            fixtures,
            shared: None,
            addresses: Vec::new(),
            resources: Vec::new(),
            stack_tails: Vec::new(),
            summary: Summary::default(),
        }
    }

    /// A test has connected to a real address.
    pub fn connected(&mut self, address: &str, test: &str) {
        let known = self.addresses.iter_mut().find(|a| a.resource == address);
        match known {
            Some(known) if known.tests.iter().any(|t| t == test) => {}
            Some(known) => known.tests.push(test.to_owned()),
            None => self.addresses.push(UsedAddress {
                resource: address.to_owned(),
                tests: vec![test.to_owned()],
            }),
        }
    }

    /// Do internal differences count?
    pub fn is_strict(&self) -> bool {
        self.head.capture.as_ref().is_some_and(|c| c.strict)
    }

    pub fn fixtures(&self) -> &[Fixture] {
        self.fixtures.as_deref().unwrap_or_default()
    }

    /// What a class's fixtures have printed.
    pub fn output_of(&self, class: &str) -> Option<&Printed> {
        let mut all = self.class_output.iter();
        all.find(|o| o.class.as_deref() == Some(class))
            .map(|o| &o.printed)
    }

    /// Once a number is known to be a generator of ids, or a field to be a registry that static initialisers fill, what
    /// happened to it before folds, too.
    fn fold_earlier(&mut self) {
        let strict = self.is_strict();
        let states = || self.tests.iter().filter_map(|r| r.state.as_ref());
        let folded = |fold: Fold| {
            let all = states().flat_map(|s| &s.pollutions);
            all.filter(move |f| f.folded == Some(fold))
        };
        let ids: BTreeSet<String> = folded(Fold::IdGenerator).map(|f| f.place.to_string()).collect();
        let registries = folded(Fold::StaticInitialiser).map(|f| f.place.root.to_string());
        let registries: BTreeSet<String> = registries.collect();
        if ids.is_empty() && registries.is_empty() {
            return;
        }
        let initialiser = |f: &Finding| f.written_at.iter().any(|frame| frame.method == "<clinit>");
        let fold = |f: &Finding| {
            if f.label == Label::Counter && ids.contains(&f.place.to_string()) {
                Some(Fold::IdGenerator)
            } else if f.kind == Kind::Added
                && registries.contains(&f.place.root.to_string())
                && initialiser(f)
            {
                Some(Fold::StaticInitialiser)
            } else {
                None
            }
        };
        for state in self.tests.iter_mut().filter_map(|r| r.state.as_mut()) {
            for finding in state.pollutions.iter_mut().filter(|f| f.folded.is_none()) {
                finding.folded = fold(finding);
            }
            state.judge(strict);
        }
    }

    /// Says of every finding who put its place back later. A class whose fixtures put back what they themselves had done
    /// leaves nothing behind.
    pub fn settle(&mut self) {
        self.fold_earlier();
        let strict = self.is_strict();
        let mut restored: Vec<(String, Place, String)> = Vec::new();
        let mut files: Vec<(String, String, String)> = Vec::new();
        let tests = self.tests.iter().map(|r| (r.test.text(), r.state.as_ref()));
        let fixtures = self.fixtures.iter().flatten();
        let fixtures = fixtures.map(|f| (f.class.clone().unwrap_or_default(), Some(&f.state)));
        for (cleaner, state) in tests.chain(fixtures) {
            for finding in state.iter().flat_map(|s| &s.pollutions) {
                let whose = finding.restores.iter();
                restored.extend(whose.map(|w| (w.clone(), finding.place.clone(), cleaner.clone())));
            }
            for file in state.iter().flat_map(|s| &s.files) {
                let whose = file.restores.iter();
                files.extend(whose.map(|w| (w.clone(), file.path.clone(), cleaner.clone())));
            }
        }
        let settle = |name: &str, state: &mut Pollution| {
            for finding in state.pollutions.iter_mut().filter(|f| f.restores.is_none()) {
                let by = restored.iter().find(|(w, p, _)| w == name && *p == finding.place);
                finding.restored_by = by.map(|(_, _, cleaner)| cleaner.clone());
            }
            for file in state.files.iter_mut().filter(|f| f.restores.is_none()) {
                let by = files.iter().find(|(w, p, _)| w == name && *p == file.path);
                file.restored_by = by.map(|(_, _, cleaner)| cleaner.clone());
            }
        };
        if restored.is_empty() && files.is_empty() {
            return;
        }
        for record in &mut self.tests {
            let name = record.test.text();
            record.state.iter_mut().for_each(|state| settle(&name, state));
        }
        for fixture in self.fixtures.iter_mut().flatten() {
            let name = fixture.class.clone().unwrap_or_default();
            settle(&name, &mut fixture.state);
            let own = |by: &Option<String>| by.as_deref() == Some(name.as_str());
            let state = &mut fixture.state;
            state.polluter = !state.threads.is_empty()
                || state.files.iter().any(|f| f.counts() && !own(&f.restored_by))
                || state
                    .pollutions
                    .iter()
                    .any(|f| f.counts(strict) && !own(&f.restored_by));
        }
    }

    /// The sums, of what is there now.
    pub fn sums(&self) -> Summary {
        let mut sums = Summary::default();
        let mut classes = BTreeSet::new();
        for record in &self.tests {
            classes.insert(record.test.class.as_str());
            sums.tests += 1;
            *match record.outcome {
                Outcome::Passed => &mut sums.passed,
                Outcome::Failed => &mut sums.failed,
                Outcome::Error => &mut sums.error,
                Outcome::Skipped => &mut sums.skipped,
                Outcome::Unsupported => &mut sums.unsupported,
                Outcome::TimedOut => &mut sums.timed_out,
                Outcome::Crashed => &mut sums.crashed,
            } += 1;
        }
        sums.classes = classes.len();
        if self.head.capture.is_some() {
            sums.polluters = Some(self.tests.iter().filter(|r| r.is_polluter()).count());
            let cleaners = self.tests.iter().filter(|r| r.is_cleaner()).count();
            sums.cleaners = (cleaners > 0).then_some(cleaners);
            let victims = self.tests.iter().filter(|r| r.polluted_by.is_some()).count();
            sums.victims = (victims > 0).then_some(victims);
            sums.hidden_by_rule = Some(self.hidden_by_rule());
        }
        if self.head.sanitise.is_some() {
            sums.sanitised = Some(self.tests.iter().filter(|r| r.sanitised().is_some()).count());
        }
        sums
    }

    /// What the sanitised tests need, by resource, with the tests that need it in the order they ran.
    pub fn resources(&self) -> Vec<Resource> {
        let mut found: BTreeMap<(crate::TestAssumption, String), Vec<String>> = BTreeMap::new();
        for record in &self.tests {
            let Some(sanitised) = record.sanitised() else {
                continue;
            };
            if let Some(resource) = sanitised.resource() {
                let tests = found.entry((sanitised.assumption, resource)).or_default();
                tests.push(record.test.text());
            }
        }
        let rows = found.into_iter();
        rows.map(|((assumption, resource), tests)| Resource {
            assumption,
            resource,
            tests,
        })
        .collect()
    }

    fn hidden_by_rule(&self) -> BTreeMap<String, u32> {
        let mut hidden = BTreeMap::new();
        let states = self.tests.iter().filter_map(|r| r.state.as_ref());
        for state in states.chain(self.fixtures().iter().map(|f| &f.state)) {
            for (rule, count) in &state.hidden {
                *hidden.entry(rule.clone()).or_insert(0) += count;
            }
        }
        hidden
    }
}

/// A cost among the fields of a record.
mod cost_fields {
    use crate::Cost;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize, schemars::JsonSchema)]
    pub struct Fields {
        time_ms: f64,
        instructions: u64,
    }

    pub fn serialize<S: Serializer>(cost: &Cost, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = Fields {
            time_ms: cost.millis(),
            instructions: cost.instructions,
        };
        fields.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cost, D::Error> {
        let fields = Fields::deserialize(deserializer)?;
        Ok(Cost {
            instructions: fields.instructions,
            nanos: (fields.time_ms * 1e6).round() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
  "schema": 1,
  "poldet": "0.1.0",
  "suite": "s.jar",
  "jdk": "17.0.21",
  "seed": 18446744073709551615,
  "junit": "platform engines",
  "command": [
    "poldet"
  ],
  "sandbox": {
    "mode": "auto",
    "missing": []
  },
  "capture": {
    "strict": false,
    "roots": "first-touch",
    "rules": []
  },
  "tests": [
    {
      "class": "a.B",
      "method": "t",
      "parameters": null,
      "invocation": null,
      "display": "t()",
      "id": "t(a.B)",
      "outcome": "timed_out",
      "exception": null,
      "message": "m",
      "stack": [],
      "time_ms": 0.42,
      "instructions": 7,
      "stdout": "x",
      "polluter": true,
      "pollutions": [
        {
          "root": "a.B.f",
          "path": "[\"k\"].next{9}",
          "kind": "added",
          "before": "(absent)",
          "after": "1",
          "label": "collection-grew",
          "first_touch": false,
          "observable": true,
          "origin": "suite",
          "written_at": [
            {
              "class": "a.B",
              "method": "m",
              "file": null,
              "line": 3
            }
          ]
        }
      ],
      "files": [],
      "hidden_by_rule": {
        "cache": 1
      }
    }
  ],
  "class_output": [
    {
      "class": null,
      "stdout": "",
      "stderr": "e"
    }
  ],
  "fixtures": [],
  "summary": {
    "classes": 1,
    "tests": 1,
    "passed": 0,
    "failed": 0,
    "error": 0,
    "skipped": 0,
    "unsupported": 0,
    "timed_out": 1,
    "crashed": 0,
    "polluters": 1,
    "hidden_by_rule": {
      "cache": 1
    }
  }
}"#;

    #[test]
    fn a_document_is_read_as_it_is_written() {
        let document: Document = serde_json::from_str(TEXT).expect("a document");
        assert_eq!(
            serde_json::to_string_pretty(&document).expect("it can be written"),
            TEXT
        );
        assert_eq!(document.sums(), document.summary);
        assert_eq!(document.tests[0].cost.nanos, 420_000);
    }

    #[test]
    fn without_capture_nothing_says_clean() {
        let mut document: Document = serde_json::from_str(TEXT).expect("a document");
        (document.head.capture, document.fixtures) = (None, None);
        document.tests[0].state = None;
        document.summary = document.sums();
        let text = serde_json::to_string(&document).expect("it can be written");
        assert!(!text.contains("pollut") && !text.contains("capture"), "{text}");
        let again: Document = serde_json::from_str(&text).expect("a document");
        assert_eq!(again.tests, document.tests);
    }
}
