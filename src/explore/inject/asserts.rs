//! Which statements are assertions: those of JUnit 3 to 5, Hamcrest, AssertJ, Truth and Mockito, by the names of the calls.

use crate::source::tree::Statement;

/// Names of methods that assert, as globs: the last name of a call.
const NAMES: [&str; 6] = [
    "assert*",
    "fail",
    "failBecause*",
    "failNot*",
    "verify*",
    "expectThrows*",
];

/// Chains that assert by how they begin and what they call: BDD styles, Truth's `expect.that`.
const CHAINS: [(&str, &str); 4] = [
    ("then", "should*"),
    ("then", "is*"),
    ("then", "has*"),
    ("expect.that", "*"),
];

/// Is the statement an assertion? `more` are patterns of the user's, for the last name of a call or all that is written of it.
pub fn is_assertion(statement: &Statement, more: &[String]) -> bool {
    statement.kind == "assert_statement" || asserts(&statement.calls, more)
}

/// Do these calls, the outermost first, assert something?
pub fn asserts(calls: &[String], more: &[String]) -> bool {
    let last = |call: &str| call.rsplit('.').next().unwrap_or_default().to_owned();
    let named = calls.iter().any(|call| {
        NAMES.iter().any(|name| glob(name, &last(call)))
            || more.iter().any(|p| glob(p, &last(call)) || glob(p, call))
    });
    let chained = CHAINS.iter().any(|(first, then)| {
        let begins = calls
            .last()
            .is_some_and(|c| c == first || last(c) == *first || c.ends_with(&format!(".{first}")));
        begins
            && (calls.len() == 1 || calls[..calls.len() - 1].iter().any(|c| glob(then, &last(c))))
            && (calls.len() > 1 || first.contains('.'))
    });
    named || chained
}

/// `*` stands for any text.
fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, rest)) => {
            let Some(tail) = text.strip_prefix(before) else {
                return false;
            };
            rest.is_empty() || (0..=tail.len()).any(|at| tail.is_char_boundary(at) && glob(rest, &tail[at..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::text::Text;
    use crate::source::tree::Source;

    fn asserts(statement: &str, more: &[&str]) -> bool {
        let file = format!("class A {{ void t() {{ {statement} }} }}");
        let source = Source::parse(Text::new(file)).expect("parses");
        let method = &source.methods()[0];
        let more: Vec<String> = more.iter().map(|p| (*p).to_owned()).collect();
        is_assertion(&source.statements(method, false)[0], &more)
    }

    #[test]
    fn assertions_of_the_known_libraries() {
        for statement in [
            "assertEquals(1, x);",
            "Assert.assertTrue(x);",
            "org.junit.jupiter.api.Assertions.assertAll(() -> f());",
            "fail();",
            "Exception e = assertThrows(E.class, () -> f());",
            "assertThat(x, is(3));",
            "assertThat(x).isEqualTo(3).isNotNull();",
            "softly.assertThat(x).isTrue();",
            "assertWithMessage(\"m\").that(x).isTrue();",
            "expect.that(x).isTrue();",
            "verify(mock, times(2)).call();",
            "verifyNoMoreInteractions(mock);",
            "then(mock).should().call();",
            "inOrder.verify(mock).call();",
            "assert x > 0;",
        ] {
            assert!(asserts(statement, &[]), "{statement}");
        }
    }

    #[test]
    fn other_statements_are_not() {
        for statement in [
            "reset();",
            "x = 3;",
            "Endpoint.reset();",
            "when(mock.call()).thenReturn(3);",
            "given(x).willReturn(y);",
            "list.add(assertion);",
            "future.thenRun(r);",
            "if (x) { assertTrue(x); }",
        ] {
            assert!(!asserts(statement, &[]), "{statement}");
        }
        assert!(asserts("Check.that(x);", &["Check.*"]));
        assert!(asserts("Check.that(x);", &["that"]));
    }
}
