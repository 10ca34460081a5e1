//! One test: candidates, plans, search, patches, checks.

use crate::explore::fix::build::{self, Built};
use crate::explore::fix::candidates::Candidate;
use crate::explore::fix::case::Case;
use crate::explore::fix::check::{self, Baseline};
use crate::explore::fix::classes::Classes;
use crate::explore::fix::context::Context;
use crate::explore::fix::hotspot;
use crate::explore::fix::plans;
use crate::explore::fix::resets::Maker;
use crate::explore::fix::run::Runner;
use crate::explore::fix::search::{Search, Solution};
use crate::explore::fix::weave::{self, Plan, Woven};
use crate::explore::fix::write;
use poldet_records::{FixTest, FixVerdict, Outcome, Patch, PatchKind, PatchSide, SearchPlace};
use std::collections::BTreeMap;
use std::path::Path;

/// Helpers that are tried, unless all are wanted; and then.
const FEW_HELPERS: usize = 6;
const MOST_HELPERS: usize = 60;
/// Helpers that are woven together.
const TOGETHER: usize = 12;
/// Patches of one plan that are refused before the next plan is tried, unless all are wanted.
const MOST_REFUSED: usize = 4;
/// Places for which resets are made.
const MOST_PLACES: usize = 12;

pub struct Solver<'a> {
    pub context: &'a Context<'a>,
    pub baseline: &'a Baseline<'a>,
    pub own: &'a [String],
    pub out: &'a Path,
    pub jobs: usize,
}

/// Class files, by internal name.
type ClassFiles = Vec<(String, Vec<u8>)>;

/// A patch that was checked, and its bytes.
struct Proposed {
    patch: Patch,
    diff: Vec<u8>,
}

/// Diffs that were checked for a test, and why they were refused if they were: several helpers may come to the same patch.
type Checked = BTreeMap<Vec<u8>, Option<String>>;

/// What was tried in vain, of which the last reason is reported.
#[derive(Default)]
struct Reasons(Vec<String>);

impl Reasons {
    fn add(&mut self, why: String) {
        if !self.0.contains(&why) {
            self.0.push(why);
        }
    }
}

impl Solver<'_> {
    pub fn solve(&self, case: &Case) -> Result<FixTest, String> {
        let tests = self.context.tests;
        let mut test = FixTest {
            test: tests.all[case.test].name.clone(),
            verdict: case.verdict,
            fixed: false,
            why_not: None,
            others: case.causes.iter().map(|c| tests.names(&c.tests)).collect(),
            state: case.state(),
            message: case.message.clone(),
            reproduce: case.reproduce.clone(),
            patches: Vec::new(),
        };
        if case.verdict == FixVerdict::Nio {
            test.others.clear();
        }
        match self.patches(case) {
            Ok(mut found) => {
                found.sort_by_key(|p| rank(&p.patch));
                for (number, mut proposed) in found.into_iter().enumerate() {
                    let name =
                        write::patch_name(&format!("{}-{}", test.test, word(case.verdict)), number + 1);
                    proposed.patch.file.clone_from(&name);
                    write::file(self.out, &name, &proposed.diff)?;
                    let diff = String::from_utf8_lossy(&proposed.diff);
                    let file = |name: &str| self.file_of(name);
                    let text = write::ifixflakies(&test, &proposed.patch, &diff, &file);
                    let dotted = test.test.replace('#', ".");
                    let suffix = if number == 0 {
                        String::new()
                    } else {
                        format!(".{number}")
                    };
                    let own = format!("ifixflakies/{dotted}-{}.patch{suffix}", word(case.verdict));
                    write::file(self.out, &own, text.as_bytes())?;
                    test.patches.push(proposed.patch);
                }
                test.fixed = true;
            }
            Err(why) => test.why_not = Some(why),
        }
        Ok(test)
    }

    /// The source of a test, if it is there.
    fn file_of(&self, name: &str) -> Option<String> {
        let context = self.context;
        let declared = context.method_of(context.tests.find(name)?)?;
        Some(context.file(declared.file).path.display().to_string())
    }

    /// The patches of a case, or why there are none.
    fn patches(&self, case: &Case) -> Result<Vec<Proposed>, String> {
        if let Some(why) = &case.why_not {
            return Err(why.clone());
        }
        let class = |t: &usize| self.context.tests.class(*t);
        let inside = case
            .causes
            .iter()
            .flat_map(|c| &c.tests)
            .all(|t| class(t) == class(&case.test));
        if case.declared_order && inside && case.verdict != FixVerdict::Nio {
            return Err("its class declares the order of its tests: what it depends on is intended".into());
        }
        let plans = plans::plans(self.context, case)?;
        let places = self.places(case);
        let resets = self.resets(&places);
        let helpers = self.helpers(case)?;
        let mut found: Vec<Proposed> = Vec::new();
        let mut reasons = Reasons::default();
        let mut checked = Checked::new();
        let all = self.context.options.find_all;
        let mut batches: Vec<Vec<Candidate>> = helpers
            .chunks(TOGETHER)
            .map(|part| {
                let both = |h: &Vec<usize>| [Candidate::Opened(h.clone()), Candidate::Helper(h.clone())];
                part.iter().flat_map(both).collect()
            })
            .collect();
        match batches.first_mut() {
            Some(first) => first.extend(resets),
            None if !resets.is_empty() => batches.push(resets),
            None => {}
        }
        for candidates in &batches {
            let done = self.batch(
                case,
                &plans,
                candidates,
                places.len(),
                &mut found,
                &mut checked,
                &mut reasons,
            );
            if let Err(why) = done {
                reasons.add(why);
            }
            if !found.is_empty() && !all {
                break;
            }
        }
        if found.is_empty() {
            // Statements that need the helper's own instance stay in its class.
            let far = |h: &&Vec<usize>| h.len() == 1 && class(&h[0]) != class(&case.test);
            let calls: Vec<Candidate> = helpers
                .iter()
                .filter(far)
                .map(|h| Candidate::Call(h[0]))
                .collect();
            if !calls.is_empty()
                && let Err(why) = self.batch(case, &plans, &calls, 0, &mut found, &mut checked, &mut reasons)
            {
                reasons.add(why);
            }
        }
        if !found.is_empty() {
            return Ok(found);
        }
        Err(match (batches.is_empty(), reasons.0.as_slice()) {
            (true, _) if places.is_empty() => {
                "no test cleans for it, and no place of the shared state explains it".into()
            }
            (true, _) => format!(
                "no test cleans for it, and there is no reset for {}",
                names(&places)
            ),
            (false, []) => format!(
                "none of {} candidates makes it pass{}",
                count(&batches),
                match places.is_empty() {
                    true => String::new(),
                    false => format!(" (state: {})", names(&places)),
                }
            ),
            (false, reasons) => reasons.join("; "),
        })
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "what the batches of a test have in common"
    )]
    fn batch(
        &self,
        case: &Case,
        plans: &[Plan],
        candidates: &[Candidate],
        places: usize,
        found: &mut Vec<Proposed>,
        checked: &mut Checked,
        reasons: &mut Reasons,
    ) -> Result<(), String> {
        let context = self.context;
        let all = context.options.find_all;
        let mut wanted = Vec::new();
        for (p, plan) in plans.iter().enumerate() {
            let takes = |c: &Candidate| !c.saves() || plan.takes_saved(context);
            wanted.extend(
                (0..candidates.len())
                    .filter(|c| takes(&candidates[*c]))
                    .map(|c| (p, c)),
            );
        }
        let woven = weave::weave(context, plans, candidates, &wanted)?;
        let runner = Runner::start(context.setup, context.tests, self.jobs, &woven.classes)?;
        let goals = case.goals();
        let search = Search::new(&runner, candidates, &woven, &goals)?;
        let Some(search) = search else {
            return Err("compiled from its sources, the suite does not show what it shows as it is".into());
        };
        let before = found.len();
        for helper in [true, false] {
            for (p, plan) in plans.iter().enumerate() {
                let kind = if helper {
                    PatchKind::Helper
                } else {
                    PatchKind::Synthesised
                };
                // One of each kind is enough, and a single statement cannot be beaten; a fixture is only for where the method will not do.
                let enough = |f: &Proposed| {
                    f.patch.side == plan.side && (f.patch.kind == kind || (!all && f.patch.statements == 1))
                };
                if found[before..].iter().any(enough) {
                    continue;
                }
                let mut refused = 0;
                let mut accepted = false;
                let mut take = |solution: Solution| match self
                    .propose(case, plans, candidates, &woven, &solution, checked)
                {
                    Ok(proposed) => {
                        found.extend(proposed);
                        true
                    }
                    Err(why) => {
                        reasons.add(why);
                        false
                    }
                };
                let mut done: Vec<&[usize]> = Vec::new();
                for entry in search.entries_of(p, helper) {
                    let helpers = candidates[woven.entries[entry].candidate].helpers();
                    if helpers.is_some_and(|h| done.contains(&h)) {
                        continue;
                    }
                    if let Some(solution) = search.single(p, entry) {
                        match take(solution) {
                            true => {
                                accepted = true;
                                done.extend(helpers);
                            }
                            false => refused += 1,
                        }
                        if !all && (accepted || refused == MOST_REFUSED) {
                            break;
                        }
                    }
                }
                if !helper
                    && !accepted
                    && places > 1
                    && let Some(solution) = search.combination(p, places)
                {
                    take(solution);
                }
            }
        }
        Ok(())
    }

    /// The places to blame: of a brittle with the value that it needs as the one to come back to.
    fn places(&self, case: &Case) -> Vec<SearchPlace> {
        let mut places = case.state();
        if case.verdict == FixVerdict::Brittle {
            for place in &mut places {
                std::mem::swap(&mut place.before, &mut place.after);
            }
        }
        places.truncate(MOST_PLACES);
        places
    }

    fn resets(&self, places: &[SearchPlace]) -> Vec<Candidate> {
        let classes = Classes::new(&self.context.setup.suite);
        let dir = self.context.setup.spec.dir.clone();
        let here = || std::env::current_dir().ok().map(|d| d.display().to_string());
        let maker = Maker {
            classes: &classes,
            own: self.own,
            allow_reflection: self.context.options.allow_reflection,
            dir: dir.or_else(here),
        };
        let all = places.iter().enumerate().flat_map(|(n, p)| maker.resets(n, p));
        all.map(Candidate::Reset).collect()
    }

    /// Tests whose statements may help: cleaners, state-setters, and for an NIO test those of its class that clean after it.
    fn helpers(&self, case: &Case) -> Result<Vec<Vec<usize>>, String> {
        let tests = self.context.tests;
        let mut helpers: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut add = |helper: &Vec<usize>| match helpers.iter_mut().find(|(_, h)| h == helper) {
            Some((count, _)) => *count += 1,
            None => helpers.push((1, helper.clone())),
        };
        match case.verdict {
            FixVerdict::Victim => case.causes.iter().flat_map(|c| &c.cleaners).for_each(&mut add),
            FixVerdict::Brittle => case.causes.iter().for_each(|c| add(&c.tests)),
            FixVerdict::Nio => {
                let class = tests.class(case.test);
                let others = (0..tests.len()).filter(|t| tests.class(*t) == class && *t != case.test);
                for other in others.take(MOST_HELPERS) {
                    let outcomes = self.baseline.run(&[case.test, other, case.test])?;
                    if outcomes.last() == Some(&Some(Outcome::Passed)) {
                        add(&vec![other]);
                    }
                }
            }
            FixVerdict::Nod => {}
        }
        // Those that help against most polluters, of the same class, and short.
        helpers.sort_by_key(|(count, helper)| {
            let far = helper.iter().any(|h| tests.class(*h) != tests.class(case.test));
            let size: usize = helper.iter().map(|h| self.size(*h)).sum();
            (std::cmp::Reverse(*count), helper.len(), far, size, helper.clone())
        });
        helpers.retain(|(_, helper)| helper.iter().all(|h| self.context.method_of(*h).is_some()));
        let most = if self.context.options.find_all {
            MOST_HELPERS
        } else {
            FEW_HELPERS
        };
        helpers.truncate(most);
        Ok(helpers.into_iter().map(|(_, h)| h).collect())
    }

    fn size(&self, test: usize) -> usize {
        let method = self.context.method_of(test);
        method.map_or(usize::MAX / 4, |d| {
            let source = &self.context.file(d.file).source;
            source.statements(&d.method, true).len()
        })
    }

    /// Writes a solution as a patch, and checks it; none if it is one that was checked already and is fine.
    fn propose(
        &self,
        case: &Case,
        plans: &[Plan],
        candidates: &[Candidate],
        woven: &Woven,
        solution: &Solution,
        checked: &mut Checked,
    ) -> Result<Option<Proposed>, String> {
        let context = self.context;
        let plan = &plans[solution.plan];
        let saves = solution
            .parts
            .iter()
            .any(|p| candidates[woven.entries[p.entry].candidate].saves());
        let mut reasons = Reasons::default();
        for placement in build::placements(context, plan, saves) {
            for flat in [true, false] {
                let codes = build::code(context, plan, candidates, woven, solution, flat);
                let codes = fitting(plan, &placement, codes);
                let built = match self.compile(&placement, &codes) {
                    Ok(built) => built,
                    Err(why) => {
                        reasons.add(why);
                        continue;
                    }
                };
                let (diff, _) = write::diff(context, &built.0.texts);
                let result = match checked.get(&diff) {
                    Some(None) => return Ok(None),
                    Some(Some(why)) => Err(why.clone()),
                    None => self.check(case, candidates, woven, solution, &built.0, &built.1),
                };
                checked.insert(diff, result.as_ref().err().cloned());
                match result {
                    Ok(proposed) => return Ok(Some(proposed)),
                    Err(why) => {
                        reasons.add(why);
                        break;
                    }
                }
            }
        }
        Err(format!("a patch was refused: {}", reasons.0.join("; ")))
    }

    /// The texts and classes of a patch; with wider `throws` only if the compiler asks for them.
    fn compile(&self, plan: &Plan, codes: &[build::Code]) -> Result<(Built, ClassFiles), String> {
        let mut message = String::new();
        for widen in [false, true] {
            let built = build::build(self.context, plan, codes, widen)?;
            let texts: Vec<(usize, &str)> = built.texts.iter().map(|(f, t)| (*f, t.as_str())).collect();
            let compiled = self.context.compile(&texts)?;
            match compiled.problems.first() {
                None => return Ok((built, compiled.classes)),
                Some(problem) => {
                    message = problem.message.lines().next().unwrap_or_default().to_owned();
                    if !compiled
                        .problems
                        .iter()
                        .any(|p| p.message.contains("unreported exception"))
                    {
                        break;
                    }
                }
            }
        }
        Err(format!("it does not compile: {message}"))
    }

    fn check(
        &self,
        case: &Case,
        candidates: &[Candidate],
        woven: &Woven,
        solution: &Solution,
        built: &Built,
        classes: &[(String, Vec<u8>)],
    ) -> Result<Proposed, String> {
        let context = self.context;
        let runner = Runner::start(context.setup, context.tests, self.jobs, classes)?;
        let checks = check::checks(context, self.baseline, case, &built.plan);
        let verified = check::verify(self.baseline, &runner, case, &checks, self.jobs)??;
        let hotspot = match context.options.verify_on_hotspot {
            true => hotspot::verify(context, case, &checks, classes)?,
            false => Vec::new(),
        };
        let restores = check::restores(context, &runner, case, &built.plan, &built.texts, classes);
        let (diff, files) = write::diff(context, &built.texts);
        let first = &solution.parts[0];
        let entry = &woven.entries[first.entry];
        let helper = candidates[entry.candidate].helpers();
        let helper = helper.map(|tests| context.tests.names(tests));
        let statements = match helper {
            Some(_) => entry.parts().next().map_or(0, |block| {
                let real = |u: &&usize| block.units.list[**u].kind != "block";
                first.kept.iter().filter(real).count()
            }),
            None => built.code.len(),
        };
        Ok(Proposed {
            patch: Patch {
                file: String::new(),
                kind: candidates[entry.candidate].kind(),
                side: built.plan.side,
                statements_of_helper: helper.as_ref().map(|_| entry.rendered[0].statements),
                helper,
                statements,
                placement: built.placement.clone(),
                code: built.code.clone(),
                files,
                compiles: true,
                restores,
                verified,
                hotspot,
            },
            diff,
        })
    }
}

/// The code of a plan's spots for the spots of another placement of it: one of each class.
fn fitting(plan: &Plan, placement: &Plan, codes: Vec<build::Code>) -> Vec<build::Code> {
    let of = |class: &str| plan.spots.iter().position(|s| s.class == class).unwrap_or(0);
    if placement.spots.len() == plan.spots.len() {
        return codes;
    }
    placement
        .spots
        .iter()
        .map(|s| codes[of(&s.class)].clone())
        .collect()
}

/// Smallest first; of equal ones those that are closer to the polluter, and leave the state as it was.
fn rank(patch: &Patch) -> (bool, usize, PatchSide, PatchKind, bool, String) {
    (
        patch.code.iter().any(|c| c.contains(".setAccessible(")),
        patch.statements,
        patch.side,
        patch.kind,
        patch.restores != Some(true),
        patch.code.join("\n"),
    )
}

fn word(verdict: FixVerdict) -> &'static str {
    match verdict {
        FixVerdict::Victim => "victim",
        FixVerdict::Brittle => "brittle",
        FixVerdict::Nio => "nio",
        FixVerdict::Nod => "nod",
    }
}

/// Helpers and resets; the two forms of a helper are one candidate.
fn count(batches: &[Vec<Candidate>]) -> usize {
    let all = batches.iter().flatten();
    all.filter(|c| !matches!(c, Candidate::Opened(_))).count()
}

fn names(places: &[SearchPlace]) -> String {
    let names: Vec<String> = places.iter().map(|p| format!("{}{}", p.root, p.path)).collect();
    names.join(", ")
}
