//! Where statements could go for a test: at the start of the victim, at the end of its polluters, or in fixtures of their classes.

use crate::cli::FixSide;
use crate::explore::fix::case::Case;
use crate::explore::fix::context::{Context, When};
use crate::explore::fix::weave::{At, Plan, Spot};
use poldet_records::{FixVerdict, PatchSide};

/// Polluters whose methods are changed together, and classes whose fixtures are.
const MOST_METHODS: usize = 6;
const MOST_CLASSES: usize = 3;

/// The plans for a case, the best of each side first; or why there are none.
pub fn plans(context: &Context<'_>, case: &Case) -> Result<Vec<Plan>, String> {
    let side = context.options.side;
    let mut plans = Vec::new();
    let mut missing: Option<String> = None;
    if case.verdict == FixVerdict::Nio {
        let method = spot(context, case.test, At::End)?;
        let start = spot(context, case.test, At::Start)?;
        for spot in [
            method,
            start,
            fixture(context, case.test, When::After)?,
            fixture(context, case.test, When::Before)?,
        ] {
            plans.push(Plan {
                side: PatchSide::Test,
                spots: vec![spot],
            });
        }
        return Ok(plans);
    }
    if side != FixSide::Victim && case.verdict == FixVerdict::Victim {
        match polluters(context, case) {
            Ok(more) => plans.extend(more),
            Err(why) => missing = Some(why),
        }
    }
    if side != FixSide::Polluter || case.verdict == FixVerdict::Brittle {
        let found = spot(context, case.test, At::Start);
        match found.and_then(|start| Ok([start, fixture(context, case.test, When::Before)?])) {
            Ok(spots) => plans.extend(spots.into_iter().map(|spot| Plan {
                side: PatchSide::Victim,
                spots: vec![spot],
            })),
            Err(why) => missing = Some(missing.map_or(why.clone(), |m| format!("{m}; {why}"))),
        }
    }
    match (plans.is_empty(), missing) {
        (true, Some(why)) => Err(why),
        (true, None) => Err("there is no polluter to change".into()),
        (false, _) => Ok(plans),
    }
}

fn polluters(context: &Context<'_>, case: &Case) -> Result<Vec<Plan>, String> {
    let mut last: Vec<usize> = Vec::new();
    for cause in &case.causes {
        if let Some(test) = cause.tests.last()
            && !last.contains(test)
        {
            last.push(*test);
        }
    }
    let mut classes: Vec<usize> = Vec::new();
    for test in &last {
        let class = context.tests.class(*test);
        if !classes.iter().any(|t| context.tests.class(*t) == class) {
            classes.push(*test);
        }
    }
    let mut plans = Vec::new();
    if last.len() <= MOST_METHODS {
        let mut spots: Vec<Spot> = Vec::new();
        for test in &last {
            let spot = spot(context, *test, At::End)?;
            // Invocations of one method are changed once.
            if !spots.contains(&spot) && !spots.iter().any(|s| s.at == spot.at && s.file == spot.file) {
                spots.push(spot);
            }
        }
        plans.push(Plan {
            side: PatchSide::Polluter,
            spots,
        });
    }
    if classes.len() <= MOST_CLASSES {
        let spots = classes.iter().map(|t| fixture(context, *t, When::After));
        plans.push(Plan {
            side: PatchSide::Polluter,
            spots: spots.collect::<Result<_, _>>()?,
        });
    }
    if plans.is_empty() {
        return Err(format!(
            "it has {} polluters in {} classes",
            last.len(),
            classes.len()
        ));
    }
    Ok(plans)
}

fn spot(
    context: &Context<'_>,
    test: usize,
    at: impl Fn(crate::source::tree::Method) -> At,
) -> Result<Spot, String> {
    let declared = context
        .method_of(test)
        .ok_or_else(|| why_missing(context, test))?;
    Ok(Spot {
        file: declared.file,
        test,
        class: declared.method.class.clone(),
        at: at(declared.method),
    })
}

fn fixture(context: &Context<'_>, test: usize, when: When) -> Result<Spot, String> {
    let declared = context
        .method_of(test)
        .ok_or_else(|| why_missing(context, test))?;
    let own = context.own_fixture(test, when);
    let class = context.tests.member(test).test.class.clone();
    let holds = |file: usize| context.file(file).source.class_body(&class).is_some();
    let file = match &own {
        Some(own) => own.file,
        None if holds(declared.file) => declared.file,
        None => (0..context.files.files.len())
            .find(|f| holds(*f) && context.file(*f).left_out.is_none())
            .ok_or_else(|| why_missing(context, test))?,
    };
    Ok(Spot {
        file,
        test,
        class,
        at: At::Fixture(when, own.map(|o| o.method)),
    })
}

/// Why the source of a test cannot be changed.
pub fn why_missing(context: &Context<'_>, test: usize) -> String {
    let name = &context.tests.all[test].name;
    let class = context.tests.member(test).test.class.clone();
    let top = class.split('$').next().unwrap_or(&class).replace('.', "/");
    for file in &context.files.files {
        let stem = file.path.file_stem().and_then(|n| n.to_str()).unwrap_or_default();
        let package = file.source.package.replace('.', "/");
        let own = match package.as_str() {
            "" => stem.to_owned(),
            package => format!("{package}/{stem}"),
        };
        if own == top
            && let Some(why) = &file.left_out
        {
            return format!("the source of {name}, {}, {why}", file.path.display());
        }
    }
    for (path, why) in &context.files.unreadable {
        if path.ends_with(&format!("{top}.java")) {
            return format!("the source of {name}, {path}, {why}");
        }
    }
    let inner = class.replace('.', "/");
    let missing = context
        .files
        .missing
        .iter()
        .find(|(_, of)| of.contains(&inner) || of.contains(&top));
    match missing.map(|(source, _)| source) {
        Some(source) if !source.ends_with(".java") => {
            format!("{name} is not written in Java ({source}), and is not patched")
        }
        Some(source) => format!("the source of {name}, {source}, is not in the folders of --sources"),
        None => format!("no method in the sources is the test {name}"),
    }
}
