//! What is wrong with a command line, in one line: what clap says in several, without its advice for other programs.

use super::Cli;
use crate::run::names::{did_you_mean, near};
use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// The line, without the word "error".
pub fn line(error: &Error, command: Option<&str>) -> String {
    let text = error.to_string();
    let before_usage = text.split("\nUsage:").next().unwrap_or(&text);
    let before_usage = before_usage.split("\nFor more information").next().unwrap_or("");
    let lines = before_usage.lines().map(str::trim);
    let said: Vec<&str> = lines
        .filter(|l| !l.is_empty() && !l.starts_with("tip: "))
        .collect();
    let said = said.join(" ");
    let said = said.strip_prefix("error: ").unwrap_or(&said);
    let commands = Cli::command();
    let known = command.filter(|name| commands.find_subcommand(name).is_some());
    let help = known.map_or_else(
        || "poldet --help".to_owned(),
        |name| format!("poldet {name} --help"),
    );
    format!("{said}{}; '{help}' lists what there is", suggestion(error))
}

/// What may have been meant.
fn suggestion(error: &Error) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    };
    if error.kind() == ErrorKind::InvalidSubcommand {
        let typed = text(ContextKind::InvalidSubcommand).join("");
        let command = Cli::command();
        let shown = command.get_subcommands().filter(|c| !c.is_hide_set());
        let names = shown.map(|c| c.get_name().to_owned());
        return did_you_mean(&near(&typed, names).into_iter().take(1).collect::<Vec<_>>());
    }
    let meant = [
        text(ContextKind::SuggestedArg),
        text(ContextKind::SuggestedSubcommand),
        text(ContextKind::SuggestedValue),
    ];
    let meant: Vec<String> = meant.concat().iter().map(|m| format!("'{m}'")).collect();
    did_you_mean(&meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn said(words: &str) -> String {
        let parsed = Cli::try_parse_from(words.split(' '));
        let error = parsed.err().expect("it is wrong");
        line(&error, words.split(' ').nth(1))
    }

    #[test]
    fn one_line_with_a_suggestion() {
        assert_eq!(
            said("poldet run a.jar --maven"),
            "unexpected argument '--maven' found; 'poldet run --help' lists what there is"
        );
        assert_eq!(
            said("poldet run a.jar --polluter"),
            "unexpected argument '--polluter' found; did you mean '--polluters'?; 'poldet run --help' lists what there is"
        );
        assert!(said("poldet rn a.jar").contains("did you mean run?; 'poldet --help'"));
        assert!(said("poldet run a.jar --format telegram").contains("[possible values: human, json"));
    }
}
