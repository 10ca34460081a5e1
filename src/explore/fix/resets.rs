//! Statements that put state back without a helper: methods that reset it, a setter with the old value, saving and restoring.
//!
//! What is made here is a guess by types, names and bytecode. The compiler says what is accessible, and a run says what helps.

use crate::explore::fix::candidates::SAVED;
use crate::explore::fix::classes::{Callable, Classes, loads, marked, stores, type_name};
use poldet_records::{PathStep, Place, Root, SearchPlace};

/// A value that is kept at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    /// The type as code, with marked names.
    pub ty: String,
    /// What the variable is called.
    pub base: String,
    pub value: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reset {
    pub save: Option<Save>,
    /// Statements, with marked names of classes.
    pub code: Vec<String>,
    /// The lower, the better.
    pub rank: u8,
    /// Which of the places it is for.
    pub place: usize,
}

/// Ranks, by preference.
const METHOD: u8 = 0;
const NAMED_METHOD: u8 = 1;
const OLD_VALUE: u8 = 2;
const CLEAR: u8 = 3;
const SAVE: u8 = 4;
const REFLECTION: u8 = 9;

/// Resets that are tried for one place.
const MOST: usize = 24;

/// Parts of names of methods that put something back.
const WORDS: [&str; 14] = [
    "reset",
    "clear",
    "clean",
    "remove",
    "unregister",
    "deregister",
    "close",
    "stop",
    "shutdown",
    "dispose",
    "destroy",
    "restore",
    "init",
    "default",
];

fn is_reset(name: &str) -> bool {
    let name = name.to_lowercase();
    WORDS.iter().any(|w| name.contains(w))
}

/// An expression for an object, and its type.
#[derive(Clone)]
struct Expr {
    code: String,
    desc: String,
}

pub struct Maker<'a> {
    pub classes: &'a Classes<'a>,
    /// The suite's own classes.
    pub own: &'a [String],
    pub allow_reflection: bool,
    /// Where tests run, and their temporary folder.
    pub dir: Option<String>,
}

impl Maker<'_> {
    /// Resets of a place, the best first.
    pub fn resets(&self, number: usize, place: &SearchPlace) -> Vec<Reset> {
        let mut found = match place.root.strip_prefix("file:") {
            Some(path) => self.of_file(path, place),
            None => self.of_root(place),
        };
        found.sort_by_key(|r| r.rank);
        let mut unique: Vec<Reset> = Vec::new();
        for mut reset in found {
            reset.place = number;
            let same = |r: &Reset| r.code == reset.code && r.save == reset.save;
            if !unique.iter().any(same) {
                unique.push(reset);
            }
        }
        unique.truncate(MOST);
        unique
    }

    fn of_root(&self, place: &SearchPlace) -> Vec<Reset> {
        let parsed = Place::parse(&place.root, &place.path);
        let Root::Static { class, field } = &parsed.root else {
            return Vec::new();
        };
        match (class.as_str(), &**field) {
            ("java.lang.System", "props") => property(place, &parsed.steps),
            ("java.util.Locale", _) => {
                let locale = marked("java.util.Locale");
                vec![saved(
                    &locale,
                    "savedLocale",
                    format!("{locale}.getDefault()"),
                    &[format!("{locale}.setDefault({SAVED});")],
                )]
            }
            ("java.util.TimeZone", _) => {
                let zone = marked("java.util.TimeZone");
                let null = plain(SAVE + 1, &[format!("{zone}.setDefault(null);")]);
                let restore = format!("{zone}.setDefault({SAVED});");
                vec![
                    saved(&zone, "savedTimeZone", format!("{zone}.getDefault()"), &[restore]),
                    null,
                ]
            }
            ("java.lang.System", stream @ ("out" | "err" | "in")) => {
                let (ty, name, set) = match stream {
                    "out" => ("java.io.PrintStream", "savedOut", "setOut"),
                    "err" => ("java.io.PrintStream", "savedErr", "setErr"),
                    _ => ("java.io.InputStream", "savedIn", "setIn"),
                };
                let restore = format!("System.{set}({SAVED});");
                vec![saved(&marked(ty), name, format!("System.{stream}"), &[restore])]
            }
            ("java.lang.System", "security") => vec![
                saved(
                    "SecurityManager",
                    "savedManager",
                    "System.getSecurityManager()".into(),
                    &[format!("System.setSecurityManager({SAVED});")],
                ),
                plain(OLD_VALUE, &["System.setSecurityManager(null);".into()]),
            ],
            _ => self.of_field(class, field, &parsed.steps, place),
        }
    }

    fn of_field(&self, class: &str, field: &str, steps: &[PathStep], place: &SearchPlace) -> Vec<Reset> {
        let mut found = Vec::new();
        let desc = self.classes.field(class, field);
        self.methods_of_class(class, field, steps, &mut found);
        let Some(desc) = desc else {
            return found;
        };
        let owner = marked(class);
        let direct = Expr {
            code: format!("{owner}.{field}"),
            desc: desc.clone(),
        };
        let mut exprs = vec![direct.clone()];
        for (callable, file, method) in self.classes.methods(class) {
            let returns =
                callable.returns() == desc || callable.returns() == format!("L{};", class.replace('.', "/"));
            if callable.is_static && callable.params().is_empty() && returns && loads(file, &method, field) {
                exprs.push(Expr {
                    code: format!("{owner}.{}()", callable.name),
                    desc: callable.returns().to_owned(),
                });
            }
        }
        if steps.is_empty() {
            self.of_variable(&direct, &exprs, class, field, place, &mut found);
        }
        self.walk(exprs, steps, place, field, &mut found);
        if self.allow_reflection
            && steps.is_empty()
            && let Some(value) = literal(&place.before, &desc)
        {
            found.push(plain(REFLECTION, &reflection(class, field, &value)));
        }
        found
    }

    /// Methods of the code under test that store to the field or clear what is in it.
    fn methods_of_class(&self, class: &str, field: &str, steps: &[PathStep], found: &mut Vec<Reset>) {
        let key = steps.iter().find_map(key_of);
        let mut writers = self.classes.writers(class, field, self.own);
        let named = self.classes.methods(class).into_iter().map(|(c, _, _)| c);
        let known = writers.clone();
        writers.extend(named.filter(|c| c.is_static && is_reset(&c.name) && !known.contains(c)));
        for writer in writers.iter().filter(|w| w.is_static) {
            let rank = match (known.contains(writer), is_reset(&writer.name)) {
                (true, true) => METHOD,
                (true, false) => OLD_VALUE,
                (false, _) => NAMED_METHOD,
            };
            let on = format!("{}.{}", marked(&writer.class), writer.name);
            match (writer.params().as_slice(), &key) {
                ([], _) if !is_fixture_or_test(writer) => found.push(plain(rank, &[format!("{on}();")])),
                ([param], Some(key)) if is_reset(&writer.name) && takes(param, key) => {
                    found.push(plain(METHOD, &[format!("{on}({key});")]));
                }
                _ => {}
            }
        }
    }

    /// The field itself has another value.
    fn of_variable(
        &self,
        direct: &Expr,
        exprs: &[Expr],
        class: &str,
        field: &str,
        place: &SearchPlace,
        found: &mut Vec<Reset>,
    ) {
        let value = literal(&place.before, &direct.desc);
        let base = saved_name(field);
        let ty = self
            .generic_type(class, field)
            .unwrap_or_else(|| type_name(&direct.desc));
        for setter in self.classes.writers(class, field, self.own) {
            if !setter.is_static || setter.params() != [direct.desc.clone()] {
                continue;
            }
            let on = format!("{}.{}", marked(&setter.class), setter.name);
            if let Some(value) = &value {
                found.push(plain(OLD_VALUE, &[format!("{on}({value});")]));
            }
            for expr in exprs.iter().filter(|e| e.desc == direct.desc) {
                found.push(saved(&ty, &base, expr.code.clone(), &[format!("{on}({SAVED});")]));
            }
        }
        if let Some(value) = &value {
            found.push(plain(OLD_VALUE, &[format!("{} = {value};", direct.code)]));
        }
        let restore = format!("{} = {SAVED};", direct.code);
        found.push(saved(&ty, &base, direct.code.clone(), &[restore]));
        for expr in exprs {
            self.of_text(expr, place, found);
        }
    }

    /// Builders of text, whose contents are compared and not their parts.
    fn of_text(&self, expr: &Expr, place: &SearchPlace, found: &mut Vec<Reset>) {
        if !matches!(
            expr.desc.as_str(),
            "Ljava/lang/StringBuilder;" | "Ljava/lang/StringBuffer;"
        ) {
            return;
        }
        let code = &expr.code;
        let old = place
            .before
            .split_once('(')
            .and_then(|(_, t)| t.strip_suffix(')'));
        let Some(old) = old.and_then(|t| literal(t, "Ljava/lang/String;")) else {
            return;
        };
        let mut lines = vec![format!("{code}.setLength(0);")];
        if old != "\"\"" {
            lines.push(format!("{code}.append({old});"));
        }
        found.push(plain(OLD_VALUE, &lines));
    }

    /// Follows the path from the field to what was changed.
    fn walk(
        &self,
        mut exprs: Vec<Expr>,
        steps: &[PathStep],
        place: &SearchPlace,
        root: &str,
        found: &mut Vec<Reset>,
    ) {
        let mut name = root.to_owned();
        for (at, step) in steps.iter().enumerate() {
            let last = at + 1 == steps.len();
            exprs.truncate(6);
            for expr in &exprs {
                self.methods_of_object(expr, step, &steps[at..], found);
            }
            let mut next = Vec::new();
            for expr in &exprs {
                match step {
                    PathStep::Thread(_) => {
                        found.push(plain(OLD_VALUE, &[format!("{}.remove();", expr.code)]))
                    }
                    PathStep::Key(_) | PathStep::Index(_) => {
                        self.of_element(expr, step, &name, place, last, found)
                    }
                    PathStep::Field(field) => self.of_part(expr, field, place, last, &mut next, found),
                    PathStep::Repeated(..) => {}
                }
            }
            if let PathStep::Field(field) = step {
                name = field.to_string();
            }
            exprs = next;
        }
        if matches!(steps.last(), Some(PathStep::Field(_))) || steps.is_empty() {
            for expr in &exprs {
                self.of_whole_collection(expr, &name, found);
                self.of_text(expr, place, found);
            }
        }
    }

    /// Methods of an object that put back a part of it.
    fn methods_of_object(&self, expr: &Expr, step: &PathStep, rest: &[PathStep], found: &mut Vec<Reset>) {
        let Some(class) = class_of(&expr.desc) else { return };
        let key = rest.iter().find_map(key_of);
        for (callable, file, method) in self.classes.methods(&class) {
            if callable.is_static {
                continue;
            }
            let on = format!("{}.{}", expr.code, callable.name);
            let written = match step {
                PathStep::Field(field) => stores(file, &method, &class, field, false),
                _ => false,
            };
            match (callable.params().as_slice(), &key) {
                ([], _) if is_reset(&callable.name) => found.push(plain(NAMED_METHOD, &[format!("{on}();")])),
                ([], _) if written && callable.returns() == "V" => {
                    found.push(plain(OLD_VALUE, &[format!("{on}();")]));
                }
                ([param], Some(key)) if is_reset(&callable.name) && takes(param, key) => {
                    found.push(plain(METHOD, &[format!("{on}({key});")]));
                }
                _ => {}
            }
        }
    }

    /// A field of an object.
    fn of_part(
        &self,
        expr: &Expr,
        field: &str,
        place: &SearchPlace,
        last: bool,
        next: &mut Vec<Expr>,
        found: &mut Vec<Reset>,
    ) {
        if expr.desc.starts_with("Ljava/util/concurrent/atomic/Atomic") && field == "value" && last {
            let inner = match expr.desc.as_str() {
                "Ljava/util/concurrent/atomic/AtomicLong;" => "J",
                "Ljava/util/concurrent/atomic/AtomicBoolean;" => "Z",
                "Ljava/util/concurrent/atomic/AtomicReference;" => "Ljava/lang/Object;",
                _ => "I",
            };
            // A boolean is kept as a number.
            let text = match (inner, place.before.as_str()) {
                ("Z", "0") => "false",
                ("Z", "1") => "true",
                (_, text) => text,
            };
            if let Some(value) = literal(text, inner) {
                found.push(plain(OLD_VALUE, &[format!("{}.set({value});", expr.code)]));
            }
            return;
        }
        let Some(class) = class_of(&expr.desc) else { return };
        let Some(desc) = self.classes.field(&class, field) else {
            return;
        };
        let direct = format!("{}.{field}", expr.code);
        let mut values = vec![direct.clone()];
        for (callable, file, method) in self.classes.methods(&class) {
            let on = format!("{}.{}", expr.code, callable.name);
            let params = callable.params();
            if callable.is_static {
                continue;
            }
            if params.is_empty() && callable.returns() == desc && loads(file, &method, field) {
                values.push(format!("{on}()"));
            }
            if last && params == [desc.clone()] && stores(file, &method, &class, field, false) {
                if let Some(value) = literal(&place.before, &desc) {
                    found.push(plain(OLD_VALUE, &[format!("{on}({value});")]));
                }
                for value in &values {
                    let restore = format!("{on}({SAVED});");
                    found.push(saved(
                        &type_name(&desc),
                        &saved_name(field),
                        value.clone(),
                        &[restore],
                    ));
                }
            }
        }
        if last {
            if let Some(value) = literal(&place.before, &desc) {
                found.push(plain(OLD_VALUE, &[format!("{direct} = {value};")]));
            }
            let restore = format!("{direct} = {SAVED};");
            found.push(saved(&type_name(&desc), &saved_name(field), direct, &[restore]));
        }
        next.extend(values.into_iter().map(|code| Expr {
            code,
            desc: desc.clone(),
        }));
    }

    /// An element of an array, or of a collection.
    fn of_element(
        &self,
        expr: &Expr,
        step: &PathStep,
        name: &str,
        place: &SearchPlace,
        last: bool,
        found: &mut Vec<Reset>,
    ) {
        let on = &expr.code;
        if let Some(element) = expr.desc.strip_prefix('[') {
            if let (PathStep::Index(i), Some(value), true) = (step, literal(&place.before, element), last) {
                found.push(plain(OLD_VALUE, &[format!("{on}[{i}] = {value};")]));
            }
            let restore = format!("System.arraycopy({SAVED}, 0, {on}, 0, {SAVED}.length);");
            let ty = type_name(&expr.desc);
            found.push(saved(&ty, &saved_name(name), format!("{on}.clone()"), &[restore]));
            return;
        }
        let is_map = is_map(&expr.desc) || matches!(step, PathStep::Key(_));
        let key = key_of(step);
        if last && let Some(key) = &key {
            let element = literal(&place.before, "Ljava/lang/Object;");
            if is_map && place.before == "(absent)" {
                found.push(plain(OLD_VALUE, &[format!("{on}.remove({key});")]));
            } else if is_map && let Some(value) = element {
                found.push(plain(OLD_VALUE, &[format!("{on}.put({key}, {value});")]));
            } else if let Some(value) = element {
                found.push(plain(OLD_VALUE, &[format!("{on}.set({key}, {value});")]));
            }
        }
        self.of_whole_collection(expr, name, found);
    }

    fn of_whole_collection(&self, expr: &Expr, name: &str, found: &mut Vec<Reset>) {
        let on = &expr.code;
        if !is_map(&expr.desc) && !is_collection(&expr.desc) {
            return;
        }
        found.push(plain(CLEAR, &[format!("{on}.clear();")]));
        let (interface, copy, add) = if is_map(&expr.desc) {
            ("java.util.Map", "java.util.LinkedHashMap", "putAll")
        } else {
            ("java.util.Collection", "java.util.ArrayList", "addAll")
        };
        let value = format!("new {}({on})", marked(copy));
        let restore = [format!("{on}.clear();"), format!("{on}.{add}({SAVED});")];
        found.push(saved(&marked(interface), &saved_name(name), value, &restore));
    }

    /// The declared type of a static field with its type arguments.
    fn generic_type(&self, class: &str, field: &str) -> Option<String> {
        let file = self.classes.file(class)?;
        let info = file
            .fields
            .iter()
            .find(|f| file.utf8(f.name) == Some(field.as_bytes()))?;
        let signature = file.signature(info.attrs)?;
        let text = std::str::from_utf8(signature).ok()?;
        let (ty, rest) = generic(text)?;
        rest.is_empty().then_some(ty)
    }

    fn of_file(&self, path: &str, place: &SearchPlace) -> Vec<Reset> {
        let file = marked("java.io.File");
        let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let temporary = path.strip_prefix("/tmp/").map(|name| {
            format!(
                "new {file}(System.getProperty(\"java.io.tmpdir\"), {})",
                quote(name)
            )
        });
        let relative = self.dir.as_deref().and_then(|dir| path.strip_prefix(dir));
        let relative = relative
            .and_then(|p| p.strip_prefix('/'))
            .map(|name| format!("new {file}({})", quote(name)));
        let expr = relative
            .or(temporary)
            .unwrap_or_else(|| format!("new {file}({})", quote(path)));
        if place.before == "(absent)" {
            return vec![plain(OLD_VALUE, &[format!("{expr}.delete();")])];
        }
        // What was in it is kept, and written again.
        let files = marked("java.nio.file.Files");
        vec![saved(
            "byte[]",
            "savedContents",
            format!("{files}.readAllBytes({expr}.toPath())"),
            &[format!("{files}.write({expr}.toPath(), {SAVED});")],
        )]
    }
}

fn plain(rank: u8, code: &[String]) -> Reset {
    Reset {
        save: None,
        code: code.to_vec(),
        rank,
        place: 0,
    }
}

fn saved(ty: &str, base: &str, value: String, code: &[String]) -> Reset {
    Reset {
        save: Some(Save {
            ty: ty.to_owned(),
            base: base.to_owned(),
            value,
        }),
        code: code.to_vec(),
        rank: SAVE,
        place: 0,
    }
}

fn property(place: &SearchPlace, steps: &[PathStep]) -> Vec<Reset> {
    let Some(key) = steps.first().and_then(key_of).filter(|k| k.starts_with('"')) else {
        return Vec::new();
    };
    let text = key.trim_matches('"');
    let last = text.rsplit(['.', '-', '_']).next().unwrap_or(text);
    let restore = [format!(
        "if ({SAVED} == null) {{\n    System.clearProperty({key});\n}} else {{\n    System.setProperty({key}, {SAVED});\n}}"
    )];
    let value = format!("System.getProperty({key})");
    let mut found = vec![saved("String", &saved_name(last), value, &restore)];
    if place.before == "(absent)" {
        found.push(plain(OLD_VALUE, &[format!("System.clearProperty({key});")]));
    } else if let Some(value) = literal(&place.before, "Ljava/lang/String;") {
        found.push(plain(
            OLD_VALUE,
            &[format!("System.setProperty({key}, {value});")],
        ));
    }
    found
}

fn reflection(class: &str, field: &str, value: &str) -> Vec<String> {
    let ty = marked("java.lang.reflect.Field");
    vec![
        format!("{ty} {field}Field = Class.forName(\"{class}\").getDeclaredField(\"{field}\");"),
        format!("{field}Field.setAccessible(true);"),
        format!("{field}Field.set(null, {value});"),
    ]
}

fn saved_name(field: &str) -> String {
    let mut name = String::from("saved");
    let mut upper = true;
    for c in field.chars() {
        if !c.is_alphanumeric() {
            upper = true;
            continue;
        }
        if upper {
            name.extend(c.to_uppercase());
        } else if field.chars().all(|c| !c.is_lowercase()) {
            name.extend(c.to_lowercase());
        } else {
            name.push(c);
        }
        upper = false;
    }
    name
}

/// Tests and fixtures are no part of the code under test.
fn is_fixture_or_test(callable: &Callable) -> bool {
    callable
        .class
        .rsplit(['.', '$'])
        .next()
        .is_some_and(|c| c.ends_with("Test") || c.starts_with("Test"))
        && !is_reset(&callable.name)
}

fn class_of(desc: &str) -> Option<String> {
    let name = desc.strip_prefix('L')?.strip_suffix(';')?;
    Some(name.replace('/', "."))
}

fn is_map(desc: &str) -> bool {
    let name = desc.trim_end_matches(';');
    ["Map", "Hashtable", "Properties"]
        .iter()
        .any(|end| name.ends_with(end))
}

fn is_collection(desc: &str) -> bool {
    let name = desc.trim_end_matches(';');
    let ends = ["List", "Set", "Collection", "Queue", "Deque", "Vector", "Stack"];
    ends.iter().any(|end| name.ends_with(end))
}

/// A key or an index as code.
fn key_of(step: &PathStep) -> Option<String> {
    match step {
        PathStep::Key(key) => literal(key, "Ljava/lang/String;").filter(|_| key.starts_with('"')),
        PathStep::Index(i) => Some(i.to_string()),
        _ => None,
    }
}

fn takes(param: &str, key: &str) -> bool {
    match key.starts_with('"') {
        true => matches!(
            param,
            "Ljava/lang/String;" | "Ljava/lang/Object;" | "Ljava/lang/CharSequence;"
        ),
        false => matches!(param, "I" | "J" | "Ljava/lang/Integer;" | "Ljava/lang/Object;"),
    }
}

/// A value as it is reported, as code; none if a source cannot say it.
pub fn literal(text: &str, desc: &str) -> Option<String> {
    let number = |suffix: &str| {
        let plain = text.parse::<f64>().ok().filter(|n| n.is_finite());
        plain.map(|_| format!("{text}{suffix}"))
    };
    let quoted = |q: char| text.len() > 1 && text.starts_with(q) && text.ends_with(q) && !text.contains('…');
    match desc {
        "I" => number(""),
        "J" => number("L"),
        "F" => number("f"),
        "D" => number(""),
        "S" => number("").map(|n| format!("(short) {n}")),
        "B" => number("").map(|n| format!("(byte) {n}")),
        "Z" => matches!(text, "true" | "false").then(|| text.to_owned()),
        "C" => quoted('\'').then(|| text.to_owned()),
        _ if text == "null" => Some("null".into()),
        "Ljava/lang/String;" | "Ljava/lang/CharSequence;" => quoted('"').then(|| text.to_owned()),
        "Ljava/lang/Integer;" | "Ljava/lang/Double;" => number(""),
        "Ljava/lang/Long;" => number("L"),
        "Ljava/lang/Float;" => number("f"),
        "Ljava/lang/Boolean;" => matches!(text, "true" | "false").then(|| text.to_owned()),
        "Ljava/lang/Object;" => {
            let plain = quoted('"') || text.parse::<i32>().is_ok() || matches!(text, "true" | "false");
            plain.then(|| text.to_owned())
        }
        _ => {
            // A constant of an enum: `Outer$Kind.NAME`.
            let class = class_of(desc)?;
            let (kind, constant) = text.rsplit_once('.')?;
            let simple = class.rsplit('.').next()?;
            let is_name = constant.chars().all(|c| c.is_alphanumeric() || c == '_');
            (is_name && kind == simple).then(|| format!("{}.{constant}", marked(&class)))
        }
    }
}

/// A type signature of a class file as code.
fn generic(text: &str) -> Option<(String, &str)> {
    if let Some(rest) = text.strip_prefix('[') {
        let (inner, rest) = generic(rest)?;
        return Some((format!("{inner}[]"), rest));
    }
    let Some(named) = text.strip_prefix('L') else {
        let first = text.get(..1).filter(|t| !t.starts_with('T'))?;
        return Some((type_name(first), &text[1..]));
    };
    let end = named.find(['<', ';'])?;
    let name = marked(&named[..end].replace('/', "."));
    let mut rest = &named[end..];
    if let Some(inside) = rest.strip_prefix('<') {
        let mut args = Vec::new();
        rest = inside;
        while !rest.starts_with('>') {
            let (prefix, bound) = match rest.get(..1)? {
                "*" => {
                    args.push("?".to_owned());
                    rest = &rest[1..];
                    continue;
                }
                "+" => ("? extends ", &rest[1..]),
                "-" => ("? super ", &rest[1..]),
                _ => ("", rest),
            };
            let (arg, after) = generic(bound)?;
            args.push(format!("{prefix}{arg}"));
            rest = after;
        }
        rest = rest.strip_prefix('>')?;
        return Some((format!("{name}<{}>", args.join(", ")), rest.strip_prefix(';')?));
    }
    Some((name, rest.strip_prefix(';')?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::fix::candidates::in_full;

    #[test]
    fn values_are_written_as_code() {
        assert_eq!(literal("9", "J").as_deref(), Some("9L"));
        assert_eq!(literal("null", "La/B;").as_deref(), Some("null"));
        assert_eq!(
            literal("\"a\\\"b\"", "Ljava/lang/String;").as_deref(),
            Some("\"a\\\"b\"")
        );
        assert_eq!(literal("\"long…", "Ljava/lang/String;"), None);
        let constant = literal("Thread$State.NEW", "Ljava/lang/Thread$State;").map(|c| in_full(&c));
        assert_eq!(constant.as_deref(), Some("java.lang.Thread.State.NEW"));
        let constant = literal("State.NEW", "La/State;").map(|c| in_full(&c));
        assert_eq!(constant.as_deref(), Some("a.State.NEW"));
        assert_eq!(literal("ArrayList(1)[1]", "Ljava/util/List;"), None);
    }

    #[test]
    fn type_arguments_are_kept() {
        let (ty, rest) = generic("Ljava/util/Map<Ljava/lang/String;[I>;").expect("a type");
        assert_eq!(
            (in_full(&ty).as_str(), rest),
            ("java.util.Map<java.lang.String, int[]>", "")
        );
        assert!(generic("TT;").is_none());
    }

    #[test]
    fn names_of_variables() {
        assert_eq!(saved_name("default_zone"), "savedDefaultZone");
        assert_eq!(saved_name("CACHE"), "savedCache");
        assert!(is_reset("resetAll") && !is_reset("getInstance"));
    }
}
