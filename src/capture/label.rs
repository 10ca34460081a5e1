//! What sort of state a finding is about, as far as names, types and values tell.

use poldet_records::{Finding, Kind, Label, PathStep};
use poldet_serializer::content::Slot;
use poldet_serializer::tracker::Change;

/// Static fields of the JDK that configure the whole program.
const CONFIGURATION: &[&str] = &[
    "java.lang.System.",
    "java.util.Locale.default",
    "java.util.TimeZone.default",
    "java.net.URL.",
    "java.net.URLConnection.",
    "java.net.Authenticator.",
    "java.net.CookieHandler.",
    "java.net.ProxySelector.",
    "java.net.ResponseCache.",
    "java.net.Socket.",
    "java.net.ServerSocket.",
    "java.util.logging.",
    "java.security.Policy.",
    "java.security.Security.",
    "sun.security.jca.Providers.",
    "java.lang.Thread.defaultUncaughtExceptionHandler",
    "javax.net.",
    "java.beans.",
];

pub fn label(finding: &Finding, change: &Change) -> Label {
    let root = finding.place.root.to_string();
    let lower = finding.place.to_string().to_lowercase();
    // Names of packages say nothing.
    let package = root.rsplitn(3, '.').nth(2).map_or(0, |p| p.len());
    let names = lower.get(package..).unwrap_or(&lower);
    let has = |words: &[&str]| words.iter().any(|w| names.contains(w));
    if CONFIGURATION.iter().any(|c| root.starts_with(c)) {
        return Label::Configuration;
    }
    if has(&["seed", "random", "rng"]) {
        return Label::Random;
    }
    if has(&["cache", "pool", "intern", "memo", "recycl", "buffers"]) {
        return Label::CacheOrPool;
    }
    if is_lazy(finding, change) {
        return Label::LazyInitialisation;
    }
    // A class about locales need not keep the one in force; a field of that name does.
    let class = root.rsplit_once('.').map_or(0, |(c, _)| c.len());
    let fields = lower.get(class..).unwrap_or(&lower);
    let kept = ["locale", "timezone", "loglevel"]
        .iter()
        .any(|w| fields.contains(w));
    if kept || has(&["config", "settings", "propert"]) {
        return Label::Configuration;
    }
    let element = finding
        .place
        .steps
        .last()
        .is_some_and(|s| !matches!(s, PathStep::Field(_)));
    if counts_up(change) && !element {
        return Label::Counter;
    }
    if finding.kind == Kind::Added {
        return Label::CollectionGrew;
    }
    Label::State
}

/// Nothing became something, by the hand of the class that declares it.
fn is_lazy(finding: &Finding, change: &Change) -> bool {
    let Some((before, after)) = change.difference.slots else {
        return false;
    };
    let first = match (before, after) {
        (Slot::Ref(a), Slot::Ref(b)) => a.is_null() && !b.is_null(),
        (
            Slot::Prim {
                letter: b'Z',
                bits: 0,
            },
            Slot::Prim { .. },
        ) => finding.place.to_string().to_lowercase().contains("init"),
        _ => false,
    };
    let declaring = finding.place.root.class().unwrap_or("");
    let own = |class: &str| class == declaring || class.starts_with(&format!("{declaring}$"));
    let writer = finding.written_at.first();
    first
        && writer.is_some_and(|f| {
            finding.place.steps.is_empty()
                && own(&f.class)
                && f.method != "<init>"
                && !f.method.starts_with("set")
                || f.method == "<clinit>"
        })
}

fn counts_up(change: &Change) -> bool {
    let Some((Slot::Prim { letter: a, bits: x }, Slot::Prim { bits: y, .. })) = change.difference.slots
    else {
        return false;
    };
    match a {
        b'I' => (y as i32) > (x as i32),
        b'J' => (y as i64) > (x as i64),
        b'S' => (y as i16) > (x as i16),
        b'B' => (y as i8) > (x as i8),
        _ => false,
    }
}
