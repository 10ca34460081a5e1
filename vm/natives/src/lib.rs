//! The native methods, one file per Java package, and the natives that stand in for slow library methods.
//!
//! To add one: write its body in the file of its package and a row beside it in that file's `TABLE`.

pub mod big_math;
pub mod digests;
pub mod java_io;
pub mod java_io_text;
pub mod java_lang;
pub mod java_lang_invoke;
pub mod java_lang_loader;
pub mod java_lang_newer;
pub mod java_lang_ref;
pub mod java_lang_reflect;
pub mod java_lang_thread;
pub mod java_net;
pub mod java_nio;
pub mod java_security;
pub mod java_util;
pub mod java_util_collections;
pub mod java_util_zip;
pub mod jdk_internal;
pub mod jdk_internal_misc;
pub mod jdk_internal_reflect;
pub mod management;
pub mod sun_attach;
pub mod sun_instrument;
pub mod sun_nio_ch;
pub mod sun_nio_ch_net;
pub mod sun_nio_cs;
pub mod sun_nio_fs;
pub mod sun_nio_fs_watch;
pub mod sun_rmi;
pub mod system_props;

use poldet_vm::natives::{Ctx, Intrinsic, Native, Tables, instead, native};

/// All tables, by package.
pub const TABLES: Tables = &[
    big_math::TABLE,
    digests::TABLE,
    java_io::TABLE,
    java_io_text::TABLE,
    java_lang::arraycopy::TABLE,
    java_lang::arrays::TABLE,
    java_lang::class::TABLE,
    java_lang::class_members::TABLE,
    java_lang::class_nesting::TABLE,
    java_lang::math::TABLE,
    java_lang::object::TABLE,
    java_lang::process::TABLE,
    java_lang::stack_walk::TABLE,
    java_lang::strict_math::TABLE,
    java_lang::string::TABLE,
    java_lang::string_bytes::TABLE,
    java_lang::system::TABLE,
    java_lang::throwable::TABLE,
    java_lang_invoke::TABLE,
    java_lang_invoke::ACCESS_MODES,
    java_lang_newer::TABLE,
    java_lang_loader::TABLE,
    java_lang_ref::TABLE,
    java_lang_reflect::TABLE,
    java_lang_thread::TABLE,
    java_net::TABLE,
    java_nio::TABLE,
    java_security::TABLE,
    java_util::TABLE,
    java_util_collections::TABLE,
    java_util_zip::TABLE,
    jdk_internal::TABLE,
    jdk_internal_misc::cells::TABLES[0],
    jdk_internal_misc::cells::TABLES[1],
    jdk_internal_misc::cells::TABLES[2],
    jdk_internal_misc::cells::TABLES[3],
    jdk_internal_misc::cells::TABLES[4],
    jdk_internal_misc::cells::TABLES[5],
    jdk_internal_misc::scoped::TABLE,
    jdk_internal_misc::unsafe_other::TABLE,
    jdk_internal_misc::vm_support::TABLE,
    jdk_internal_reflect::TABLE,
    jdk_internal_reflect::constant_pool::TABLE,
    jdk_internal_reflect::invoke::TABLE,
    management::memory::TABLE,
    management::runtime::TABLE,
    management::threads::TABLE,
    sun_attach::TABLE,
    sun_instrument::TABLE,
    sun_nio_ch::TABLE,
    sun_nio_ch_net::TABLE,
    sun_nio_cs::TABLE,
    sun_nio_fs::TABLE,
    sun_nio_fs_watch::TABLE,
    sun_rmi::TABLE,
    system_props::TABLE,
];
