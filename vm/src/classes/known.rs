//! The classes and field offsets the VM itself uses all the time, looked up once while booting.

use crate::ids::{ClassId, MethodId};

#[derive(Default)]
pub struct Known {
    pub object: ClassId,
    pub class: ClassId,
    pub string: ClassId,
    pub throwable: ClassId,
    pub cloneable: ClassId,
    pub serializable: ClassId,
    pub thread: ClassId,
    pub thread_group: ClassId,
    pub class_loader: ClassId,
    pub member_name: ClassId,
    pub method_handle: ClassId,
    pub method_type: ClassId,
    pub var_handle: ClassId,
    pub stack_trace_element: ClassId,
    /// boolean, byte, char, short, int, long, float, double, void in the order of `Prim::ALL`.
    pub prims: [ClassId; 9],
    /// boolean[] .. double[] in the same order.
    pub prim_arrays: [ClassId; 8],
    /// Boolean .. Double boxes in the same order.
    pub boxes: [ClassId; 8],
    pub object_array: ClassId,
    pub string_array: ClassId,
    pub class_array: ClassId,

    /// Fields that the VM has added to classes of the JDK for itself: the class, and the bytes from and to.
    pub injected: Vec<(ClassId, u32, u32)>,

    pub string_value: u32,
    pub string_coder: u32,
    pub string_hash: u32,
    /// Injected into java.lang.Class: the ClassId.
    pub class_vm_id: u32,
    pub class_module: u32,
    pub class_loader_field: u32,
    pub class_component: u32,
    pub class_data: u32,
    pub class_name: u32,
    /// Injected into java.lang.ClassLoader: the LoaderId.
    pub loader_vm_id: u32,
    /// Injected into java.lang.Thread: the ThreadId + 1 of a started thread, 0 otherwise.
    pub thread_vm_id: u32,
    pub throwable_backtrace: u32,
    pub throwable_message: u32,
    pub throwable_cause: u32,
    pub throwable_stack: u32,
    pub throwable_depth: u32,
    pub throwable_suppressed: u32,
    /// Injected into java.lang.invoke.ResolvedMethodName: the MethodId (+1).
    pub resolved_target: u32,
    /// Injected into java.lang.invoke.MemberName: vtable or itable index, or field offset (64 bits).
    pub member_vmindex: u32,
    pub member_clazz: u32,
    pub member_name_field: u32,
    pub member_type: u32,
    pub member_flags: u32,
    pub member_method: u32,
    pub member_resolution: u32,
    pub mh_form: u32,
    pub mh_type: u32,
    pub form_vmentry: u32,

    pub clinit: MethodId,
}
