//! A headless Chromium, driven by the DevTools protocol over a pair of pipes: JSON messages, each ended by a zero byte.

use poldet_testdata::need::{self, Need};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(90);

pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: String,
    calls: u64,
    /// What the page reported on its own: messages, errors, requests.
    events: Vec<Value>,
    profile: PathBuf,
}

/// Where Chromium is, if it is.
fn program() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CHROME") {
        return Some(path.into());
    }
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
    ];
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = names.iter().flat_map(|n| folders.iter().map(move |f| f.join(n)));
    files.into_iter().find(|f| f.is_file())
}

impl Browser {
    /// A browser with a profile of its own, or a word about why there is none.
    pub fn start(name: &str) -> Option<Browser> {
        let Some(program) = program() else {
            need::skip(
                Need::Chromium,
                "no Chromium or Chrome found; set CHROME to its path",
            );
            return None;
        };
        let profile =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&profile);
        std::fs::create_dir_all(&profile).expect("a folder for the profile");
        // The protocol wants its pipes as descriptors 3 and 4.
        let mut child = Command::new("sh")
            .args([
                "-c",
                r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null"#,
            ])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args(["--disable-dev-shm-usage", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell can be started");
        let to = child.stdin.take().expect("its standard input");
        let out = child.stdout.take().expect("its standard output");
        let (send, from) = channel();
        std::thread::spawn(move || {
            let mut out = BufReader::new(out);
            let mut message = Vec::new();
            while out.read_until(0, &mut message).is_ok_and(|n| n > 0) {
                message.pop();
                let value = serde_json::from_slice(&message).unwrap_or(Value::Null);
                message.clear();
                if send.send(value).is_err() {
                    break;
                }
            }
        });
        let mut browser = Browser {
            child,
            to,
            from,
            session: String::new(),
            calls: 0,
            events: Vec::new(),
            profile,
        };
        browser.attach();
        Some(browser)
    }

    fn attach(&mut self) {
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}));
        let asked = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call("Target.attachToTarget", asked);
        self.session = session["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        let size = json!({"width": 1440, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// A command and its answer.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        let mut message = json!({"id": id, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser listens");
        loop {
            let answer = self.next(method);
            if answer["id"] == json!(id) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
        }
    }

    fn next(&mut self, waiting_for: &str) -> Value {
        let message = self.from.recv_timeout(PATIENCE);
        let message = message.unwrap_or_else(|e| panic!("no answer to {waiting_for}: {e}"));
        if message["method"].is_string() {
            self.events.push(message.clone());
        }
        message
    }

    /// Opens a page from its file; answers how long that took.
    pub fn open(&mut self, file: &Path) -> Duration {
        let start = Instant::now();
        let loaded = self.events.len();
        self.call(
            "Page.navigate",
            json!({"url": format!("file://{}", file.display())}),
        );
        while !self.events[loaded..]
            .iter()
            .any(|e| e["method"] == "Page.loadEventFired")
        {
            self.next("the page's loading");
        }
        start.elapsed()
    }

    /// The value of an expression, awaited if it is a promise.
    pub fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", asked);
        let thrown = &answer["exceptionDetails"];
        assert!(thrown.is_null(), "{expression}\n{thrown}");
        answer["result"]["value"].clone()
    }

    pub fn text(&mut self, selector: &str) -> String {
        let found = self.eval(&format!(
            "document.querySelector({}).textContent",
            json!(selector)
        ));
        found.as_str().unwrap_or_default().to_owned()
    }

    pub fn number(&mut self, expression: &str) -> f64 {
        let found = self.eval(expression);
        found
            .as_f64()
            .unwrap_or_else(|| panic!("{expression} is {found}, no number"))
    }

    /// Waits until what was begun has been drawn.
    pub fn settle(&mut self) {
        self.eval("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(0))))");
    }

    /// A click with the mouse in the middle of the element.
    pub fn click(&mut self, selector: &str) {
        let element = format!("document.querySelector({})", json!(selector));
        self.eval(&format!(
            "{element}.scrollIntoView({{ block: 'nearest', inline: 'nearest' }})"
        ));
        // Scrolling draws rows anew: they are to stand still before the mouse is pressed.
        self.settle();
        let place = self.eval(&format!(
            "(() => {{ const r = {element}.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
        self.settle();
    }

    /// Presses a key by its name.
    pub fn key(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Tab" => (9, ""),
            "Escape" => (27, ""),
            " " => (32, " "),
            "End" => (35, ""),
            "Home" => (36, ""),
            "PageDown" => (34, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            other => (i32::from(other.to_uppercase().as_bytes()[0]), other),
        };
        let kind = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        let mut event = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
        if !text.is_empty() {
            event["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", event.clone());
        event["type"] = json!("keyUp");
        self.call("Input.dispatchKeyEvent", event);
        self.settle();
    }

    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
        self.settle();
    }

    /// Makes the window this large.
    pub fn size(&mut self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.settle();
    }

    pub fn colour_scheme(&mut self, name: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": name}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
        self.settle();
    }

    /// The page has written no error and has asked for nothing but itself.
    pub fn assert_quiet(&mut self) {
        self.settle();
        for event in &self.events {
            let params = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Page.javascriptDialogOpening" => {
                    panic!("{event}")
                }
                "Log.entryAdded" => panic!("{event}"),
                "Network.requestWillBeSent" => {
                    let url = params["request"]["url"].as_str().unwrap_or_default();
                    assert!(
                        url.starts_with("file://") && url.contains(".html"),
                        "asked for {url}"
                    );
                }
                _ => {}
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Killing it would leave its helpers behind: it is asked to go, and given a while.
        let bye = json!({"id": self.calls + 1, "method": "Browser.close"}).to_string() + "\0";
        let _ = self.to.write_all(bye.as_bytes());
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if start.elapsed() > Duration::from_secs(10) {
                let _ = self.child.kill();
                let _ = self.child.wait();
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
