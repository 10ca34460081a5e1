//! The options of `java`, as `poldet exec` takes them.

/// Rewrites `java`'s single-dash options of `poldet exec` to the double-dash form, and fences off the program's own
/// arguments: everything after the main class or the jar is the program's.
pub fn java_style(args: impl Iterator<Item = String>) -> Vec<String> {
    let mut args = args.peekable();
    let mut out: Vec<String> = args.by_ref().take(2).collect();
    if out.get(1).map(String::as_str) != Some("exec") {
        // `-cp`, as for java.
        out.extend(args.map(|a| if a == "-cp" { "--cp".into() } else { a }));
        return out;
    }
    while let Some(arg) = args.next() {
        if !arg.starts_with('-') || arg == "-" || arg == "--" {
            out.push("--".into());
            out.extend((arg != "--").then_some(arg));
            break;
        }
        let name = arg.trim_start_matches('-');
        match name {
            "cp"
            | "classpath"
            | "class-path"
            | "jdk"
            | "max-heap"
            | "stack"
            | "seed"
            | "jvm"
            | "add-opens"
            | "add-exports"
            | "add-modules"
            | "add-reads"
            | "enable-native-access"
            | "jar" => {
                out.push(format!("--{name}"));
                out.extend(args.next());
                if name == "jar" {
                    out.push("--".into());
                    break;
                }
            }
            "ea" | "enableassertions" => out.push("--ea".into()),
            "version" => return vec![out.swap_remove(0), "--version".into()],
            "Xint" | "Xmixed" | "Xcomp" => out.push(format!("--compile=-{name}")),
            _ => match (arg.strip_prefix("-Xmx"), arg.strip_prefix("-Xss")) {
                (Some(size), _) => out.push(format!("--max-heap={size}")),
                (_, Some(size)) => out.push(format!("--stack={size}")),
                // What means nothing here is named as ignored there.
                _ if is_of_java(&arg) => out.push(format!("--jvm={arg}")),
                _ => out.push(arg),
            },
        }
    }
    out.extend(args);
    out
}

/// Is this an option of `java` that has no other form in `poldet exec`?
fn is_of_java(arg: &str) -> bool {
    let whole = ["-da", "-disableassertions", "-esa", "-dsa", "-server", "-client"];
    let begins = [
        "-X",
        "-javaagent:",
        "-ea:",
        "-da:",
        "-verbose",
        "-agentlib:",
        "-agentpath:",
    ];
    whole.contains(&arg) || begins.iter().any(|b| arg.starts_with(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(line: &str) -> String {
        java_style(line.split(' ').map(str::to_owned)).join(" ")
    }

    #[test]
    fn options_of_java() {
        assert_eq!(
            rewritten("poldet exec -cp a -Xmx1g --add-reads a=b -javaagent:b=c -ea Main -cp x"),
            "poldet exec --cp a --max-heap=1g --add-reads a=b --jvm=-javaagent:b=c --ea -- Main -cp x"
        );
        assert_eq!(
            rewritten("poldet exec -jar a.jar -x"),
            "poldet exec --jar a.jar -- -x"
        );
        assert_eq!(rewritten("poldet run a.jar -cp b"), "poldet run a.jar --cp b");
        assert_eq!(
            rewritten("poldet exec -XX:+UseSerialGC -da -verbose:gc Main -XX:x"),
            "poldet exec --jvm=-XX:+UseSerialGC --jvm=-da --jvm=-verbose:gc -- Main -XX:x"
        );
        assert_eq!(rewritten("poldet exec -version"), "poldet --version");
    }
}
