//! Maven: class path and effective POM of every module, and how it configures Surefire.

use super::tool;
use super::{Module, TestConfig};
use roxmltree::{Document, Node};
use std::path::{Path, PathBuf};

/// Where answers are kept, below the project's `target`.
const KEPT: &str = "target/poldet/maven.xml";
const CLASS_PATH: &str = "poldet-classpath.txt";

pub fn modules(dir: &Path) -> Result<Vec<Module>, String> {
    let poms = tool::build_files(dir, &|name| name == "pom.xml");
    let digest = tool::digest(&poms);
    let kept = dir.join(KEPT);
    tool::answered(&kept, &digest, || ask(dir), read)
}

/// One call for everything: class paths go to a file in each module's `target`, the effective POM of all modules to one.
fn ask(dir: &Path) -> Result<String, String> {
    let program = tool::program(dir, "mvnw", "mvn");
    let effective = std::env::temp_dir().join(format!("poldet-effective-{}.xml", std::process::id()));
    let args = [
        "-B".to_owned(),
        "-q".to_owned(),
        "test-compile".to_owned(),
        "dependency:build-classpath".to_owned(),
        "help:effective-pom".to_owned(),
        "-Dmdep.includeScope=test".to_owned(),
        format!("-Dmdep.outputFile=target/{CLASS_PATH}"),
        format!("-Doutput={}", effective.display()),
    ];
    tool::ask(dir, &program, "-o", &args)?;
    let text = std::fs::read_to_string(&effective)
        .map_err(|e| format!("Maven wrote no effective POM to '{}': {e}", effective.display()));
    let _ = std::fs::remove_file(&effective);
    text
}

fn read(pom: &str) -> Result<Vec<Module>, String> {
    let document = Document::parse(pom).map_err(|e| format!("Maven's effective POM: {e}"))?;
    let projects = document
        .descendants()
        .filter(|n| n.has_tag_name_local("project"))
        .filter(|n| n.child("build").is_some());
    let mut modules = Vec::new();
    for project in projects {
        let module = module(project);
        if !module.test_classes.is_empty() {
            modules.push(module);
        }
    }
    Ok(modules)
}

/// Lookups that do not care for namespaces.
trait Look<'a, 'i> {
    fn has_tag_name_local(&self, name: &str) -> bool;
    fn child(&self, name: &str) -> Option<Node<'a, 'i>>;
    fn text_of(&self, name: &str) -> Option<String>;
    fn elements(&self) -> Vec<Node<'a, 'i>>;
}

impl<'a, 'i> Look<'a, 'i> for Node<'a, 'i> {
    fn has_tag_name_local(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }

    fn child(&self, name: &str) -> Option<Node<'a, 'i>> {
        self.children().find(|n| n.has_tag_name_local(name))
    }

    fn text_of(&self, name: &str) -> Option<String> {
        let text = self.child(name)?.text()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    fn elements(&self) -> Vec<Node<'a, 'i>> {
        self.children().filter(Node::is_element).collect()
    }
}

fn module(project: Node) -> Module {
    let Some(build) = project.child("build") else {
        return Module::default();
    };
    let folder = |name: &str| build.text_of(name).map(PathBuf::from);
    let existing = |name: &str| {
        folder(name)
            .into_iter()
            .filter(|d| d.is_dir())
            .collect::<Vec<_>>()
    };
    // The build's own folder is target, right below the module's.
    let target = folder("directory").unwrap_or_default();
    let dir = target.parent().map(Path::to_owned).unwrap_or_default();
    let own = existing("outputDirectory");
    let written = std::fs::read_to_string(dir.join("target").join(CLASS_PATH)).unwrap_or_default();
    let class_path = written
        .trim()
        .split(':')
        .filter(|p| !p.is_empty())
        .map(PathBuf::from);
    let surefire = plugins(build)
        .into_iter()
        .find(|p| p.text_of("artifactId").as_deref() == Some("maven-surefire-plugin"));
    let config = surefire.and_then(configuration);
    Module {
        test_classes: existing("testOutputDirectory"),
        class_path: class_path.filter(|p| !own.contains(p)).collect(),
        classes: own,
        sources: [existing("testSourceDirectory"), existing("sourceDirectory")].concat(),
        config: config.map_or_else(TestConfig::default, |c| surefire_config(c, &dir)),
        dir,
    }
}

fn plugins<'a, 'i>(build: Node<'a, 'i>) -> Vec<Node<'a, 'i>> {
    build.child("plugins").map_or_else(Vec::new, |p| p.elements())
}

/// The configuration of the plugin for `default-test`, else in general.
fn configuration<'a, 'i>(plugin: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    let executions = plugin.child("executions").map_or_else(Vec::new, |e| e.elements());
    let of_test = executions
        .into_iter()
        .find(|e| e.text_of("id").as_deref() == Some("default-test"));
    of_test
        .and_then(|e| e.child("configuration"))
        .or_else(|| plugin.child("configuration"))
}

fn surefire_config(node: Node, dir: &Path) -> TestConfig {
    let mut config = TestConfig::default();
    let patterns = |name: &str| -> Vec<String> {
        let list = node.child(name).map_or_else(Vec::new, |n| n.elements());
        let texts = list.iter().filter_map(|n| n.text());
        texts
            .flat_map(|t| t.split(','))
            .map(|t| t.trim().to_owned())
            .filter(|t| !t.is_empty())
            .collect()
    };
    for (name, list) in [
        ("includes", &mut config.includes),
        ("excludes", &mut config.excludes),
    ] {
        for pattern in patterns(name) {
            if pattern.contains(['[', '#', '!']) {
                let line = format!("Surefire's {name} '{pattern}' is of a form that poldet does not know");
                config.warnings.push(line);
            } else {
                list.push(pattern);
            }
        }
    }
    if let Some(line) = node.text_of("argLine") {
        config.jvm = words(&line);
    }
    for name in ["systemPropertyVariables", "systemProperties"] {
        for property in node.child(name).map_or_else(Vec::new, |n| n.elements()) {
            let pair = match (property.text_of("name"), property.text_of("value")) {
                (Some(name), value) => (name, value.unwrap_or_default()),
                (None, _) => {
                    let text = property.text().unwrap_or("").trim();
                    (property.tag_name().name().to_owned(), text.to_owned())
                }
            };
            config.properties.push(pair);
        }
    }
    for variable in node
        .child("environmentVariables")
        .map_or_else(Vec::new, |n| n.elements())
    {
        let value = variable.text().unwrap_or("").trim().to_owned();
        config.env.push((variable.tag_name().name().to_owned(), value));
    }
    config.working_dir = node.text_of("workingDirectory").map(|d| dir.join(d));
    for name in ["groups", "excludedGroups", "suiteXmlFiles"] {
        if node.child(name).is_some() {
            let line = format!("Surefire's {name} is not followed: all tests run");
            config.warnings.push(line);
        }
    }
    config
}

/// The options of an `argLine`; what other plugins would have put in (`@{…}`, `${…}`) is not there.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut quote: Option<char> = None;
    for c in line.chars().chain([' ']) {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, c) if c.is_whitespace() => {
                let unset = word.starts_with("@{") || word.starts_with("${");
                if !word.is_empty() && !unset {
                    words.push(word.clone());
                }
                word.clear();
            }
            (_, c) => word.push(c),
        }
    }
    // `--add-opens a/b=c` is one option of two words.
    let mut options: Vec<String> = Vec::new();
    for word in words {
        match options.last_mut() {
            Some(last) if last.starts_with("--add-") && !last.contains('=') => {
                last.push('=');
                last.push_str(&word);
            }
            _ => options.push(word),
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = r#"<configuration xmlns="http://maven.apache.org/POM/4.0.0">
      <includes><include>**/*IT.java, **/*Spec.java</include><include>%regex[.*X]</include></includes>
      <excludes><exclude>**/Slow*</exclude></excludes>
      <argLine>@{jacoco} -Xmx512m --add-opens java.base/java.lang=ALL-UNNAMED -Da="b c"</argLine>
      <systemPropertyVariables><k>v</k></systemPropertyVariables>
      <systemProperties><property><name>o</name><value>p</value></property></systemProperties>
      <environmentVariables><E>1</E></environmentVariables>
      <workingDirectory>work</workingDirectory>
      <groups>fast</groups>
    </configuration>"#;

    #[test]
    fn what_surefire_is_told() {
        let document = Document::parse(CONFIG).expect("XML");
        let config = surefire_config(document.root_element(), Path::new("/m"));
        assert_eq!(config.includes, ["**/*IT.java", "**/*Spec.java"]);
        assert_eq!(config.excludes, ["**/Slow*"]);
        let jvm = [
            "-Xmx512m",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Da=b c",
        ];
        assert_eq!(config.jvm, jvm);
        assert_eq!(
            config.properties,
            [("k".into(), "v".into()), ("o".into(), "p".into())]
        );
        assert_eq!(config.env, [("E".into(), "1".into())]);
        assert_eq!(config.working_dir, Some(PathBuf::from("/m/work")));
        assert_eq!(config.warnings.len(), 2, "{:?}", config.warnings);
    }
}
