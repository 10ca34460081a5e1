//! Who is called at test boundaries.

use poldet_records::{Pollution, TestName, UndoUnit, UnitRead};
use poldet_vm::vm::Vm;

/// What was done to the shared state since the last boundary, where it was compared; or what went wrong with that.
pub type Watched = Result<Option<Pollution>, String>;

/// Called at test boundaries while the VM stands still.
pub trait TestObserver {
    /// The first fixture is about to run: what comes from now on is compared.
    fn fixtures_follow(&mut self, _vm: &mut Vm) {}

    /// JUnit has found the tests of a step, and the first fixture is about to run: what it took to find them is nobody's
    /// doing.
    fn discovered(&mut self, vm: &mut Vm) -> Result<(), String> {
        self.fixtures_follow(vm);
        Ok(())
    }

    /// The fixtures of a class have run, and nothing else of it.
    fn fixtures_ended(&mut self, _vm: &mut Vm, _class: &str) -> Watched {
        Ok(None)
    }

    /// A test is about to begin.
    fn test_started(&mut self, _vm: &mut Vm, _test: &TestName) -> Watched {
        Ok(None)
    }

    fn test_finished(&mut self, _vm: &mut Vm, _test: &TestName) -> Watched {
        Ok(None)
    }

    /// The last fixture of a class has run.
    fn class_finished(&mut self, _vm: &mut Vm, _class: &str) -> Watched {
        Ok(None)
    }

    /// Whether what a test changes is to be kept beyond its end.
    fn keep_changes(&mut self, _vm: &mut Vm, _on: bool) {}

    /// What the last test changed, if that was kept.
    fn changes(&mut self, _vm: &mut Vm) -> Vec<UndoUnit> {
        Vec::new()
    }

    /// Puts changes of the last test back, by number.
    fn put_back(&mut self, _vm: &mut Vm, _chosen: &[usize]) -> Result<(), String> {
        Ok(())
    }

    /// Some of the last test's changes, by number, are to be watched for reads.
    fn name_changes(&mut self, _vm: &mut Vm, _chosen: &[usize]) {}

    /// The changes that were named are watched from now on.
    fn watch_reads(&mut self, _vm: &mut Vm) -> Result<(), String> {
        Ok(())
    }

    /// Who was first to read each of them.
    fn reads(&mut self, _vm: &mut Vm) -> Result<Vec<UnitRead>, String> {
        Ok(Vec::new())
    }

    /// What has been found wrong with poldet itself since this was last asked.
    fn complaints(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Nobody listens.
pub struct NoObserver;

impl TestObserver for NoObserver {}
