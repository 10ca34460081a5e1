//! Patterns of names: `*` is any text, dots included, `?` any one character.

/// Whether a pattern fits the whole text.
pub(crate) fn matches(glob: &str, text: &str) -> bool {
    let (glob, text) = (glob.as_bytes(), text.as_bytes());
    let (mut g, mut t) = (0, 0);
    // Where to go on when what follows the last star does not fit.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match glob.get(g) {
            Some(b'*') => {
                star = Some((g + 1, t));
                g += 1;
            }
            Some(b'?') => {
                g += 1;
                t += 1;
                // The rest of a character of several bytes.
                while text.get(t).is_some_and(|b| b & 0xc0 == 0x80) {
                    t += 1;
                }
            }
            Some(c) if *c == text[t] => {
                g += 1;
                t += 1;
            }
            _ => match &mut star {
                Some((after, from)) => {
                    *from += 1;
                    (g, t) = (*after, *from);
                }
                None => return false,
            },
        }
    }
    glob[g..].iter().all(|c| *c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (glob, text, fits) in [
            ("org.junit.*", "org.junit.runner.X.f", true),
            ("org.junit.*", "org.junitx.X.f", false),
            ("*cache*", "mycachefield", true),
            ("a.?.c", "a.b.c", true),
            ("a.?.c", "a.bb.c", false),
            ("*a*b", "xaxxbab", true),
            ("*a*b", "xaxxbac", false),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(matches(glob, text), fits, "{glob} {text}");
        }
    }
}
