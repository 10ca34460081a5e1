//! The statistics of RQ3: Spearman's rank correlation, the Mann-Whitney U test and Cliff's delta.

use poldet_records::inject::{Correlation, InjectClass, InjectStatistics, RankSum};
use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::stats_tests::Alternative;
use statrs::stats_tests::mannwhitneyu::{MannWhitneyUMethod, mannwhitneyu};

/// How the properties of classes go together with the number of their order-dependent mutants.
pub fn of_classes(classes: &[InjectClass]) -> InjectStatistics {
    let found: Vec<f64> = classes.iter().map(|c| c.metrics.od_mutants as f64).collect();
    let sizes: Vec<f64> = classes.iter().map(|c| c.tests as f64).collect();
    let fields: Vec<f64> = classes.iter().map(|c| c.static_fields as f64).collect();
    let of = |fixture: bool| -> Vec<f64> {
        let classes = classes.iter().zip(&found);
        let chosen = classes.filter(|(c, _)| c.fixture == fixture);
        chosen.map(|(_, n)| *n).collect()
    };
    let (with, without) = (of(true), of(false));
    InjectStatistics {
        spearman_class_size: spearman(&sizes, &found),
        spearman_static_fields: spearman(&fields, &found),
        mann_whitney_fixture: mann_whitney(&with, &without),
        cliffs_delta_fixture: cliffs_delta(&with, &without),
    }
}

/// Spearman's coefficient with its two-sided p value by Student's t; none of fewer than three pairs, or where all are equal.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<Correlation> {
    let n = x.len();
    if n < 3 || n != y.len() {
        return None;
    }
    let (a, b) = (ranks(x), ranks(y));
    let mean = (n as f64 + 1.0) / 2.0;
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(&b) {
        xy += (a - mean) * (b - mean);
        xx += (a - mean) * (a - mean);
        yy += (b - mean) * (b - mean);
    }
    if xx == 0.0 || yy == 0.0 {
        return None;
    }
    let rho = (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0);
    let free = n as f64 - 2.0;
    let rest = 1.0 - rho * rho;
    let p = if rest <= 0.0 {
        0.0
    } else {
        let t = rho.abs() * (free / rest).sqrt();
        2.0 * (1.0 - StudentsT::new(0.0, 1.0, free).ok()?.cdf(t))
    };
    Some(Correlation { rho, p, n })
}

/// Ranks from 1; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |v: &f64| {
        let below = values.iter().filter(|w| *w < v).count() as f64;
        let equal = values.iter().filter(|w| *w == v).count() as f64;
        below + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

/// U of the first group, with its two-sided p value; none if a group is empty or all values are equal.
pub fn mann_whitney(x: &[f64], y: &[f64]) -> Option<RankSum> {
    let all_equal = x.iter().chain(y).all(|v| Some(v) == x.first());
    if x.is_empty() || y.is_empty() || all_equal {
        return None;
    }
    let method = MannWhitneyUMethod::Automatic;
    let (u, p) = mannwhitneyu(x, y, method, Alternative::TwoSided).ok()?;
    Some(RankSum {
        u,
        p,
        n1: x.len(),
        n2: y.len(),
    })
}

/// How much more often a value of the first group is greater than one of the second than less.
pub fn cliffs_delta(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.is_empty() || y.is_empty() {
        return None;
    }
    let sum: i64 = x
        .iter()
        .flat_map(|a| y.iter().map(move |b| i64::from(a > b) - i64::from(a < b)))
        .sum();
    Some(sum as f64 / (x.len() * y.len()) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-4, "{a} is not {b}");
    }

    /// The well-known example of IQ and hours of television: rho is -29/165, p 0.627.
    #[test]
    fn spearman_of_a_known_table() {
        let iq = [106.0, 100.0, 86.0, 101.0, 99.0, 103.0, 97.0, 113.0, 112.0, 110.0];
        let tv = [7.0, 27.0, 2.0, 50.0, 28.0, 29.0, 20.0, 12.0, 6.0, 17.0];
        let found = spearman(&iq, &tv).expect("enough data");
        close(found.rho, -29.0 / 165.0);
        close(found.p, 0.627_188);
        assert_eq!(spearman(&[1.0, 2.0], &[1.0, 2.0]), None);
        assert_eq!(spearman(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
        let same = spearman(&[1.0, 2.0, 3.0], &[2.0, 4.0, 9.0]).expect("enough data");
        assert_eq!((same.rho, same.p), (1.0, 0.0));
    }

    /// The example of SciPy's documentation: ages at diagnosis, U is 17, p 0.1111 (exact).
    #[test]
    fn mann_whitney_of_a_known_table() {
        let males = [19.0, 22.0, 16.0, 29.0, 24.0];
        let females = [20.0, 11.0, 17.0, 12.0];
        let found = mann_whitney(&males, &females).expect("enough data");
        close(found.u, 17.0);
        close(found.p, 0.111_111);
        close(cliffs_delta(&males, &females).expect("data"), 0.7);
        assert_eq!(mann_whitney(&[], &females), None);
        assert_eq!(mann_whitney(&[1.0, 1.0], &[1.0]), None);
    }
}
