//! The natives of the guest's `poldet.shim.Events`: its questions to the driver and its reports.

use crate::driver::{Driver, Mode};
use crate::sanitise;
use poldet_records::{Event, Problem, ProblemKind, TestKey, TestName, UniqueId};
use poldet_vm::ids::ObjRef;
use poldet_vm::natives::ctx::{boolean, int};
use poldet_vm::natives::{Ctx, Native, native};
use poldet_vm::stop::Stop;
use poldet_vm::vm::Vm;

/// Bytes kept of a failure's message, and of each line of its stack trace: the first of them repeats the message.
const MOST_MESSAGE: usize = 1 << 20;
const EVENTS: &str = "poldet/shim/Events";

pub(crate) const TABLE: &[Native] = &[
    native(EVENTS, "mode", "", mode),
    native(EVENTS, "next", "", next),
    native(EVENTS, "ids", "", ids),
    native(EVENTS, "sequenced", "", |c| {
        ask(c, |d| boolean(d.step().sequence.is_some()))
    }),
    native(EVENTS, "sequence", "", |c| {
        with(c.vm, |d, vm| int(d.sequence(vm)))
    }),
    native(EVENTS, "handing", "", |c| ask(c, |d| boolean(d.is_handing()))),
    native(EVENTS, "following", "", following),
    native(EVENTS, "taken", "", |c| tell(c, Driver::taken)),
    native(EVENTS, "returned", "", |c| tell(c, Driver::returned)),
    native(EVENTS, "dropped", "", |c| tell(c, Driver::dropped)),
    native(EVENTS, "dropRest", "", |c| tell(c, Driver::drop_rest)),
    native(EVENTS, "handedOut", "", |c| ask(c, |d| int(d.handed_out()))),
    native(EVENTS, "within", "", within),
    native(EVENTS, "rest", "", rest),
    native(EVENTS, "idle", "", idle),
    native(EVENTS, "copy", "", copy),
    native(EVENTS, "filtering", "", |c| ask(c, |d| boolean(d.filtering()))),
    native(EVENTS, "ordering", "", |c| ask(c, |d| boolean(d.step().ordered))),
    native(EVENTS, "listing", "", |c| ask(c, |d| boolean(d.step().list))),
    native(EVENTS, "wanted", "", wanted),
    native(EVENTS, "rank", "", rank),
    native(EVENTS, "classStarted", "", class_started),
    native(EVENTS, "classFinished", "", class_finished),
    native(EVENTS, "containerStarted", "", container_started),
    native(EVENTS, "containerFinished", "", container_finished),
    native(EVENTS, "planned", "", planned),
    native(EVENTS, "started", "", started),
    native(EVENTS, "failure", "", failure),
    native(EVENTS, "limit", "", limit),
    native(EVENTS, "finished", "", finished),
    native(EVENTS, "skipped", "", skipped),
    native(EVENTS, "listed", "", listed),
    native(EVENTS, "broken", "", broken),
    native(EVENTS, "sanitising", "", |c| Ok(boolean(sanitise::is_on(c.vm)))),
    native(EVENTS, "networkExceptions", "", kinds),
    native(EVENTS, "warning", "", warning),
    native(EVENTS, "done", "", done),
];

/// Runs something with the driver taken out of the VM, so that it may use both.
fn with<T>(vm: &mut Vm, f: impl FnOnce(&mut Driver, &mut Vm) -> T) -> Result<T, Stop> {
    let missing = || Stop::bug("the shim runs without its driver");
    vm.with_part(f).ok_or_else(missing)
}

fn ask(c: &mut Ctx<'_>, f: impl FnOnce(&mut Driver) -> u64) -> Result<u64, Stop> {
    with(c.vm, |d, _| f(d))
}

/// A String argument that may be null.
fn text(c: &Ctx<'_>, slot: usize) -> Option<String> {
    let object = c.obj(slot);
    (!object.is_null()).then(|| c.vm.text(object))
}

/// The slot of a test's display name, after its root, id, class, method and parameters.
const DISPLAY: usize = 5;

/// The test named by the first arguments: root, id, class, method, parameters; and by the display name's slot, if it has one.
fn name(c: &Ctx<'_>, display: Option<usize>) -> TestName {
    let id = text(c, 1).unwrap_or_default();
    let (root, class) = (text(c, 0), text(c, 2));
    if let Some(id) = UniqueId::parse(&id).filter(|_| root.is_none()) {
        let display = display.and_then(|slot| text(c, slot)).unwrap_or_default();
        return TestName::from_platform(&id, class, text(c, 3), text(c, 4), &display);
    }
    match class {
        // A class that could not be loaded or inspected.
        Some(class) => TestName {
            root,
            display: id.clone(),
            id,
            class,
            ..TestName::default()
        },
        None => TestName::from_description(root, &id),
    }
}

fn mode(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let mode = with(c.vm, |d, _| d.mode())?;
    let text = match mode {
        Mode::Platform => "platform",
        Mode::Engines => "engines",
        Mode::JUnit4 => "junit4",
        Mode::JUnit3 => "junit3",
        Mode::Load => "load",
    };
    Ok(c.vm.new_string(text)?.bits())
}

fn strings(c: &mut Ctx<'_>, texts: &[String]) -> Result<u64, Stop> {
    let array = c.vm.new_ref_array(c.vm.known.string, texts.len() as i32)?;
    for (i, text) in texts.iter().enumerate() {
        let string = c.vm.new_string(text)?;
        c.vm.heap.elem_put_ref(array, i as u32, string);
    }
    Ok(array.bits())
}

fn next(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    with(c.vm, |d, vm| d.finish_step(vm))??;
    let Some(classes) = with(c.vm, |d, vm| d.upcoming(vm))? else {
        return Ok(0);
    };
    let array = strings(c, &classes)?;
    // Taken only now: what came before runs again after a collection.
    with(c.vm, |d, _| d.advance())?;
    Ok(array)
}

fn ids(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let ids = with(c.vm, |d, _| d.step().ids.clone())?;
    let ids: Vec<String> = ids.iter().map(|id| id.as_str().to_owned()).collect();
    if ids.is_empty() { Ok(0) } else { strings(c, &ids) }
}

fn tell(c: &mut Ctx<'_>, f: impl FnOnce(&mut Driver)) -> Result<u64, Stop> {
    with(c.vm, |d, _| f(d)).map(|()| 0)
}

fn following(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    match with(c.vm, |d, vm| d.following(vm))?? {
        Some(id) => Ok(c.vm.new_string(&id)?.bits()),
        None => Ok(0),
    }
}

fn within(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = c.string(0)?;
    ask(c, |d| boolean(d.is_within(&id)))
}

fn rest(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let ids = with(c.vm, |d, _| d.rest())?;
    strings(c, &ids)
}

fn idle(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let ignored = lines(c, 0);
    ask(c, |d| boolean(d.is_idle(ignored)))
}

fn copy(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let original = c.obj(0);
    Ok(c.vm.clone_object(original)?.bits())
}

fn wanted(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let test = name(c, None);
    ask(c, |d| boolean(d.wanted(&test)))
}

fn rank(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let test = TestName::from_description(text(c, 0), &text(c, 1).unwrap_or_default());
    ask(c, |d| int(d.rank(&test)))
}

fn report(c: &mut Ctx<'_>, event: Event) -> Result<u64, Stop> {
    with(c.vm, |d, vm| d.report(vm, event)).map(|()| 0)
}

fn class_started(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.string(0)?;
    with(c.vm, |d, vm| d.fixtures_follow(vm))?;
    sanitise::scope_begins(c.vm, &class);
    report(c, Event::ClassStarted { class })
}

fn class_finished(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let class = c.string(0)?;
    with(c.vm, |d, vm| d.class_done(vm, &class))??;
    sanitise::scope_ends(c.vm, &class);
    report(c, Event::ClassFinished { class })
}

fn container_started(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = c.string(0)?;
    sanitise::scope_begins(c.vm, &id);
    let event = Event::ContainerStarted {
        id: UniqueId::new(id),
        class: text(c, 1),
        method: text(c, 2),
    };
    report(c, event)
}

fn container_finished(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let id = UniqueId::new(c.string(0)?);
    let class = TestName::from_platform(&id, None, None, None, "").class;
    if !class.is_empty() {
        with(c.vm, |d, vm| d.class_done(vm, &class))??;
    }
    sanitise::scope_ends(c.vm, id.as_str());
    report(c, Event::ContainerFinished { id })
}

fn planned(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let tests = c.int(0).max(0) as u32;
    with(c.vm, |d, vm| d.discovered(vm))??;
    report(c, Event::Planned { tests })
}

fn started(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let test = name(c, Some(DISPLAY));
    with(c.vm, |d, vm| d.start(vm, test))?.map(|()| 0)
}

/// A String[] argument that may be null.
fn lines(c: &Ctx<'_>, slot: usize) -> Vec<String> {
    let lines = c.obj(slot);
    if lines.is_null() {
        return Vec::new();
    }
    let refs = c.vm.heap.refs(lines).to_vec();
    refs.into_iter().map(|line| c.vm.text(line)).collect()
}

/// An Object[] argument that may be null.
fn objects(c: &Ctx<'_>, slot: usize) -> Vec<ObjRef> {
    let array = c.obj(slot);
    if array.is_null() {
        return Vec::new();
    }
    c.vm.heap.refs(array).to_vec()
}

fn kinds(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let names = lines(c, 0);
    sanitise::add_kinds(c.vm, names);
    Ok(0)
}

fn warning(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let what = c.string(0)?;
    report(c, Event::Warning { what })
}

/// A failure's text up to a length that reports can carry.
fn cut(mut text: String) -> String {
    if text.len() > MOST_MESSAGE {
        let keep = (0..=MOST_MESSAGE).rev().find(|at| text.is_char_boundary(*at));
        let dropped = text.len() - keep.unwrap_or(0);
        text.truncate(keep.unwrap_or(0));
        text.push_str(&format!("… {dropped} more bytes"));
    }
    text
}

fn failure(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let test = name(c, Some(DISPLAY));
    let kind = match c.int(6) {
        0 => ProblemKind::Assertion,
        1 => ProblemKind::Error,
        3 => ProblemKind::Limit,
        _ => ProblemKind::Assumption,
    };
    let problem = Problem {
        kind,
        exception: text(c, 7).unwrap_or_default(),
        message: text(c, 8).map(cut),
        stack: lines(c, 9).into_iter().map(cut).collect(),
    };
    sanitise::failed(c.vm, &test.key(), &objects(c, 10));
    with(c.vm, |d, vm| d.problem(vm, test, problem)).map(|()| 0)
}

fn limit(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let library = c.vm.library_behind(c.obj(0)).map(str::to_owned);
    match library {
        Some(library) => Ok(c.vm.new_string(&format!("native library {library}"))?.bits()),
        None => Ok(0),
    }
}

fn finished(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let key = TestKey {
        root: text(c, 0),
        id: c.string(1)?,
    };
    with(c.vm, |d, vm| d.finish(vm, key))?.map(|()| 0)
}

fn skipped(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (test, reason) = (name(c, Some(DISPLAY)), text(c, 6).unwrap_or_default());
    with(c.vm, |d, vm| d.skip(vm, test, reason)).map(|()| 0)
}

fn listed(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let (test, container) = (name(c, Some(DISPLAY)), c.bool(6));
    with(c.vm, |d, _| d.listed(test, container)).map(|()| 0)
}

fn broken(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    let stack = lines(c, 0).join("\n");
    with(c.vm, |d, _| d.broken(stack)).map(|()| 0)
}

fn done(c: &mut Ctx<'_>) -> Result<u64, Stop> {
    report(c, Event::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_cut_between_characters() {
        assert_eq!(cut("short".into()), "short");
        let long = cut("é".repeat(MOST_MESSAGE));
        assert!(long.len() < MOST_MESSAGE + 40 && long.ends_with("é… 1048576 more bytes"));
    }
}
