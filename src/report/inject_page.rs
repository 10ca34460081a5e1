//! The page of a data set of `poldet inject`: plots in SVG, without scripts.

use poldet_records::inject::{InjectClass, InjectDocument};
use std::fmt::Write;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}\
table{border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd}\
td:first-child,th:first-child{text-align:left}svg{background:#fafafa;border:1px solid #ddd}\
.v{fill:#c0392b}.b{fill:#2471a3}.p{fill:#1e8449;fill-opacity:.6}text{font:12px system-ui,sans-serif;fill:#222}\
.axis{stroke:#888}.box{fill:#d5d8dc;stroke:#555}";

/// Size of a plot, and its margin.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const MARGIN: f64 = 46.0;

pub fn page(document: &InjectDocument) -> String {
    let mut text = String::new();
    let suite = escape(&document.head.suite);
    let _ = write!(
        text,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>poldet inject: {suite}</title>\
         <style>{STYLE}</style></head><body><h1>Order-dependency by mutation</h1><p>{suite}, JDK {}, seed {}</p>",
        escape(&document.head.jdk),
        document.head.seed
    );
    metrics(&mut text, document);
    statistics(&mut text, document);
    text.push_str("<h2>Victims and brittles by class</h2>");
    text.push_str(&bars(&document.classes));
    text.push_str("<h2>Class size and order-dependent mutants</h2>");
    text.push_str(&scatter(&document.classes));
    text.push_str("<h2>Order-dependent mutants of classes with and without fixtures</h2>");
    text.push_str(&boxes(&document.classes));
    text.push_str("</body></html>\n");
    text
}

fn metrics(text: &mut String, document: &InjectDocument) {
    let m = &document.metrics;
    let rows = [
        ("stable tests", m.stable_tests.to_string()),
        ("mutants", m.mutants.to_string()),
        ("valid mutants", m.valid_mutants.to_string()),
        ("order-dependent mutants", m.od_mutants.to_string()),
        ("order-dependent tests", percent(m.od_tests_ratio)),
        ("order-dependent classes", percent(m.od_classes_ratio)),
        (
            "the same without mutation: tests",
            percent(document.unmutated.od_tests_ratio),
        ),
        (
            "the same without mutation: classes",
            percent(document.unmutated.od_classes_ratio),
        ),
        ("with brittles", m.brittles.to_string()),
        ("with victims", m.victims.to_string()),
        ("failing by an assertion", m.assertion.to_string()),
        ("failing by another exception", m.exceptions.to_string()),
    ];
    text.push_str("<table>");
    for (name, value) in rows {
        let _ = write!(text, "<tr><td>{name}</td><td>{value}</td></tr>");
    }
    text.push_str("</table>");
}

fn statistics(text: &mut String, document: &InjectDocument) {
    let s = &document.statistics;
    text.push_str("<h2>Statistics</h2><table><tr><th>test</th><th>value</th><th>p</th><th>n</th></tr>");
    for (name, found) in [
        ("Spearman, class size", s.spearman_class_size),
        ("Spearman, static fields", s.spearman_static_fields),
    ] {
        let cells = found.map_or("<td>too little data</td><td></td><td></td>".into(), |c| {
            format!("<td>{:.3}</td><td>{:.4}</td><td>{}</td>", c.rho, c.p, c.n)
        });
        let _ = write!(text, "<tr><td>{name}</td>{cells}</tr>");
    }
    let cells = s
        .mann_whitney_fixture
        .map_or("<td>too little data</td><td></td><td></td>".into(), |r| {
            format!("<td>{}</td><td>{:.4}</td><td>{} + {}</td>", r.u, r.p, r.n1, r.n2)
        });
    let _ = write!(text, "<tr><td>Mann-Whitney U, fixtures</td>{cells}</tr>");
    let delta = s
        .cliffs_delta_fixture
        .map_or("too little data".into(), |d| format!("{d:.3}"));
    let _ = write!(
        text,
        "<tr><td>Cliff's delta, fixtures</td><td>{delta}</td><td></td><td></td></tr></table>"
    );
}

fn percent(ratio: f64) -> String {
    format!("{:.1}%", 100.0 * ratio)
}

/// Bars of the classes with the most order-dependent mutants.
fn bars(classes: &[InjectClass]) -> String {
    let mut shown: Vec<&InjectClass> = classes.iter().filter(|c| c.metrics.od_mutants > 0).collect();
    if shown.is_empty() {
        return "<p>No mutant has an order-dependent test.</p>".into();
    }
    shown.sort_by(|a, b| {
        b.metrics
            .od_mutants
            .cmp(&a.metrics.od_mutants)
            .then(a.class.cmp(&b.class))
    });
    shown.truncate(20);
    let most = shown
        .iter()
        .map(|c| c.metrics.victims + c.metrics.brittles)
        .max()
        .unwrap_or(1);
    let height = 24.0 * shown.len() as f64 + 20.0;
    let mut svg = format!(
        "<svg width=\"{WIDTH}\" height=\"{height}\" role=\"img\"><title>victims (red) and brittles (blue)</title>"
    );
    let unit = (WIDTH - 320.0) / most.max(1) as f64;
    for (i, class) in shown.iter().enumerate() {
        let y = 10.0 + 24.0 * i as f64;
        let (victims, brittles) = (
            class.metrics.victims as f64 * unit,
            class.metrics.brittles as f64 * unit,
        );
        let name = class.class.rsplit('.').next().unwrap_or(&class.class);
        let _ = write!(
            svg,
            "<text x=\"4\" y=\"{}\">{}</text><rect class=\"v\" x=\"260\" y=\"{y}\" width=\"{victims}\" height=\"16\"/>\
             <rect class=\"b\" x=\"{}\" y=\"{y}\" width=\"{brittles}\" height=\"16\"/><text x=\"{}\" y=\"{}\">{} + {}</text>",
            y + 13.0,
            escape(name),
            260.0 + victims,
            264.0 + victims + brittles,
            y + 13.0,
            class.metrics.victims,
            class.metrics.brittles
        );
    }
    svg.push_str("</svg>");
    svg
}

fn scatter(classes: &[InjectClass]) -> String {
    let most_x = classes.iter().map(|c| c.tests).max().unwrap_or(0).max(1) as f64;
    let most_y = classes
        .iter()
        .map(|c| c.metrics.od_mutants)
        .max()
        .unwrap_or(0)
        .max(1) as f64;
    let mut svg = axes(most_x, "tests of the class", most_y, "order-dependent mutants");
    for class in classes {
        let x = MARGIN + class.tests as f64 / most_x * (WIDTH - 2.0 * MARGIN);
        let y = HEIGHT - MARGIN - class.metrics.od_mutants as f64 / most_y * (HEIGHT - 2.0 * MARGIN);
        let _ = write!(
            svg,
            "<circle class=\"p\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>{}: {} tests, {} mutants</title></circle>",
            escape(&class.class),
            class.tests,
            class.metrics.od_mutants
        );
    }
    svg.push_str("</svg>");
    svg
}

fn boxes(classes: &[InjectClass]) -> String {
    let of = |fixture: bool| -> Vec<f64> {
        let chosen = classes
            .iter()
            .filter(|c| c.fixture == fixture && c.metrics.valid_mutants > 0);
        let mut values: Vec<f64> = chosen.map(|c| c.metrics.od_mutants as f64).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let groups = [("with fixtures", of(true)), ("without fixtures", of(false))];
    let most = groups
        .iter()
        .filter_map(|(_, v)| v.last())
        .fold(1.0, |a: f64, b| a.max(*b));
    let mut svg = axes(0.0, "", most, "order-dependent mutants");
    for (i, (name, values)) in groups.iter().enumerate() {
        let middle = MARGIN + (WIDTH - 2.0 * MARGIN) * (0.25 + 0.5 * i as f64);
        let y = |v: f64| HEIGHT - MARGIN - v / most * (HEIGHT - 2.0 * MARGIN);
        let _ = write!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{name} ({})</text>",
            HEIGHT - MARGIN + 18.0,
            values.len()
        );
        let (Some(low), Some(high)) = (values.first(), values.last()) else {
            continue;
        };
        let (first, median, third) = (
            quantile(values, 0.25),
            quantile(values, 0.5),
            quantile(values, 0.75),
        );
        let _ = write!(
            svg,
            "<line class=\"axis\" x1=\"{middle}\" x2=\"{middle}\" y1=\"{:.1}\" y2=\"{:.1}\"/>\
             <rect class=\"box\" x=\"{}\" y=\"{:.1}\" width=\"80\" height=\"{:.1}\"/>\
             <line class=\"axis\" x1=\"{}\" x2=\"{}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke-width=\"3\"/>",
            y(*low),
            y(*high),
            middle - 40.0,
            y(third),
            (y(first) - y(third)).max(1.0),
            middle - 40.0,
            middle + 40.0,
            y(median),
            y(median)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// A value below which this part of the sorted values lies, between two of them where it must be.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = part * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    low + (high - low) * at.fract()
}

fn axes(most_x: f64, x: &str, most_y: f64, y: &str) -> String {
    let (right, bottom) = (WIDTH - MARGIN, HEIGHT - MARGIN);
    let mut svg = format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\
         <line class=\"axis\" x1=\"{MARGIN}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>\
         <line class=\"axis\" x1=\"{MARGIN}\" x2=\"{MARGIN}\" y1=\"{MARGIN}\" y2=\"{bottom}\"/>\
         <text x=\"{MARGIN}\" y=\"{}\">{y}: up to {most_y}</text>",
        MARGIN - 10.0
    );
    if !x.is_empty() {
        let _ = write!(
            svg,
            "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{x}: up to {most_x}</text>",
            bottom + 18.0
        );
    }
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.5), 2.5);
        assert_eq!(quantile(&[7.0], 0.75), 7.0);
        assert_eq!(escape("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
    }
}
