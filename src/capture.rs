//! Hands test boundaries to the detector.

use crate::run::suite::Entry;
use poldet_junit_shim::driver::{TestObserver, Watched};
use poldet_records::{CaptureOptions, TestName, UndoUnit, UnitRead};
use poldet_serializer::detector::{Detector, Interval};
use poldet_vm::vm::Vm;

pub struct Observer {
    complaints: Vec<String>,
}

impl Observer {
    /// Puts a detector into the VM. It begins to watch when the first fixtures are to run.
    pub fn install(
        vm: &mut Vm,
        options: CaptureOptions,
        suite: &[String],
        class_path: &[String],
    ) -> Result<Observer, String> {
        let suite: Vec<Entry> = suite.iter().map(|p| Entry::open(p)).collect::<Result<_, _>>()?;
        let in_suite = move |file: &str| suite.iter().any(|entry| entry.has(file));
        let path: Vec<Entry> = class_path
            .iter()
            .map(|p| Entry::open(p))
            .collect::<Result<_, _>>()?;
        let on_path = move |file: &str| path.iter().any(|entry| entry.has(file));
        Detector::install(vm, options, Box::new(in_suite), Some(Box::new(on_path)))?;
        Ok(Observer {
            complaints: Vec::new(),
        })
    }

    /// The end of a test, or of what ran between tests.
    fn boundary(&mut self, vm: &mut Vm, interval: Interval<'_>) -> Watched {
        let detected = Detector::with(vm, |detector, vm| {
            let detected = detector.boundary(vm, interval);
            self.complaints.extend(detector.take_complaints());
            detected
        });
        detected.unwrap_or_else(|| Err("capture: the detector is not in the VM".into()))
    }
}

impl TestObserver for Observer {
    fn fixtures_follow(&mut self, vm: &mut Vm) {
        // Where there is none, the first boundary says so.
        let _ = Detector::with(vm, Detector::begin);
    }

    fn fixtures_ended(&mut self, vm: &mut Vm, class: &str) -> Watched {
        let state = self.boundary(vm, Interval::Fixtures(class));
        let _ = Detector::with(vm, |detector, _| detector.class_is_ready(class));
        state
    }

    fn test_started(&mut self, vm: &mut Vm, test: &TestName) -> Watched {
        self.boundary(vm, Interval::Fixtures(&test.class))
    }

    fn test_finished(&mut self, vm: &mut Vm, test: &TestName) -> Watched {
        self.boundary(vm, Interval::Test(test))
    }

    fn class_finished(&mut self, vm: &mut Vm, class: &str) -> Watched {
        self.boundary(vm, Interval::ClassEnd(class))
    }

    fn discovered(&mut self, vm: &mut Vm) -> Result<(), String> {
        self.boundary(vm, Interval::Fixtures("")).map(|_| ())
    }

    fn keep_changes(&mut self, vm: &mut Vm, on: bool) {
        let _ = Detector::with(vm, |detector, _| detector.undo.keep(on));
    }

    fn changes(&mut self, vm: &mut Vm) -> Vec<UndoUnit> {
        Detector::with(vm, Detector::undo_units).unwrap_or_default()
    }

    fn put_back(&mut self, vm: &mut Vm, chosen: &[usize]) -> Result<(), String> {
        Detector::with(vm, |detector, vm| detector.put_back(vm, chosen)).unwrap_or(Ok(()))
    }

    fn name_changes(&mut self, vm: &mut Vm, chosen: &[usize]) {
        let _ = Detector::with(vm, |detector, vm| detector.name_changes(vm, chosen));
    }

    fn watch_reads(&mut self, vm: &mut Vm) -> Result<(), String> {
        Detector::with(vm, Detector::watch_reads).unwrap_or(Ok(()))
    }

    fn reads(&mut self, vm: &mut Vm) -> Result<Vec<UnitRead>, String> {
        Detector::with(vm, Detector::take_reads).unwrap_or_else(|| Ok(Vec::new()))
    }

    fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }
}
