//! Hands test boundaries to the detector.

use crate::run::suite::Entry;
use poldet_junit_shim::driver::{TestObserver, Watched};
use poldet_records::{CaptureOptions, TestName, UndoUnit};
use poldet_serializer::detector::Detector;
use poldet_vm::vm::Vm;

pub struct Observer {
    complaints: Vec<String>,
}

impl Observer {
    /// Puts a detector into the VM. It begins to watch when the first fixtures are to run.
    pub fn install(vm: &mut Vm, options: CaptureOptions, suite: &[String]) -> Result<Observer, String> {
        let suite: Vec<Entry> = suite.iter().map(|p| Entry::open(p)).collect::<Result<_, _>>()?;
        let in_suite = move |file: &str| suite.iter().any(|entry| entry.has(file));
        Detector::install(vm, options, Box::new(in_suite))?;
        Ok(Observer {
            complaints: Vec::new(),
        })
    }

    /// The end of a test, or of what ran between tests.
    fn boundary(&mut self, vm: &mut Vm, test: Option<&TestName>) -> Watched {
        let detected = Detector::with(vm, |detector, vm| {
            let detected = detector.boundary(vm, test);
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

    fn test_started(&mut self, vm: &mut Vm, _test: &TestName) -> Watched {
        self.boundary(vm, None)
    }

    fn test_finished(&mut self, vm: &mut Vm, test: &TestName) -> Watched {
        self.boundary(vm, Some(test))
    }

    fn class_finished(&mut self, vm: &mut Vm) -> Watched {
        self.boundary(vm, None)
    }

    fn discovered(&mut self, vm: &mut Vm) -> Result<(), String> {
        self.boundary(vm, None).map(|_| ())
    }

    fn keep_changes(&mut self, vm: &mut Vm, on: bool) {
        let _ = Detector::with(vm, |detector, _| detector.undo.keep(on));
    }

    fn changes(&mut self, vm: &mut Vm) -> Vec<UndoUnit> {
        Detector::with(vm, Detector::undo_units).unwrap_or_default()
    }

    fn put_back(&mut self, vm: &mut Vm, chosen: &[usize]) -> Result<(), String> {
        Detector::with(vm, |detector, vm| detector.undo.put_back(vm, chosen)).unwrap_or(Ok(()))
    }

    fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }
}
