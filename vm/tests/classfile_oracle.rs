//! The `classfile-parser` crate as an independent opinion on the classes of java.base.

mod common;

use classfile_parser::constant_info::ConstantInfo;
use poldet_vm::classfile::ClassFile;

fn text(pool: &[ConstantInfo], index: u16) -> &str {
    match &pool[usize::from(index) - 1] {
        ConstantInfo::Utf8(utf8) => &utf8.utf8_string,
        other => panic!("not a text: {other:?}"),
    }
}

#[test]
fn java_base_reads_the_same() {
    let Some(image) = common::image(17) else { return };
    let (mut compared, mut skipped) = (0, 0);
    for entry in image
        .entries()
        .filter(|e| e.module == "java.base" && e.is_class())
        .step_by(3)
    {
        // It does not know Dynamic, Module and Package constants.
        let Ok((_, other)) = classfile_parser::class_parser(entry.content) else {
            skipped += 1;
            continue;
        };
        let name = entry.name();
        let file = ClassFile::parse(entry.content).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(file.cp_len(), other.const_pool_size, "{name}");
        assert_eq!(
            (file.major, file.minor),
            (other.major_version, other.minor_version),
            "{name}"
        );
        assert_eq!(
            (file.this_class, file.super_class),
            (other.this_class, other.super_class),
            "{name}"
        );
        assert_eq!(*file.interfaces, *other.interfaces, "{name}");
        let ours = |list: &[poldet_vm::classfile::MemberInfo]| -> Vec<(Vec<u8>, Vec<u8>)> {
            let bytes = |index| file.utf8(index).expect("a text").to_vec();
            list.iter().map(|m| (bytes(m.name), bytes(m.desc))).collect()
        };
        let pool = &other.const_pool;
        let pair = |name, desc| {
            (
                text(pool, name).as_bytes().to_vec(),
                text(pool, desc).as_bytes().to_vec(),
            )
        };
        let fields: Vec<_> = other
            .fields
            .iter()
            .map(|f| pair(f.name_index, f.descriptor_index))
            .collect();
        let methods: Vec<_> = other
            .methods
            .iter()
            .map(|m| pair(m.name_index, m.descriptor_index))
            .collect();
        assert_eq!(ours(&file.fields), fields, "{name}");
        assert_eq!(ours(&file.methods), methods, "{name}");
        compared += 1;
    }
    println!("{compared} classes agree, {skipped} beyond the other parser");
    assert!(compared > 1500, "only {compared} compared");
}
