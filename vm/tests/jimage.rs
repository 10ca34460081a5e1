//! The reader of `lib/modules` against the whole image, and against damaged ones.

mod common;

use poldet_vm::jimage::JImage;

#[test]
fn finds_every_entry_by_its_name() {
    for feature in [17, 25] {
        let Some(image) = common::image(feature) else {
            continue;
        };
        let mut count = 0;
        for entry in image.entries().filter(|e| !e.module.is_empty()) {
            let found = image
                .find(entry.module, &entry.name())
                .expect("an entry's own name");
            assert_eq!(
                (found.as_ptr(), found.len()),
                (entry.content.as_ptr(), entry.content.len())
            );
            count += 1;
        }
        assert!(count > 25_000, "only {count} entries");
        assert!(image.find("java.base", "java/lang/Nothing.class").is_none());
        assert!(image.find_resource("").is_none());
        for (package, module) in [
            ("java.lang", "java.base"),
            ("java/util/logging", "java.logging"),
            ("org.w3c.dom", "java.xml"),
        ] {
            assert_eq!(image.package_to_module(package), Some(module));
        }
        assert_eq!(image.package_to_module("no.such.package"), None);
        // Only subpackages there: no module owns it.
        assert_eq!(image.package_to_module("java"), None);
    }
}

/// An image of one class, small enough to be damaged in every byte.
fn small_image() -> Vec<u8> {
    let strings = b"\0java.base\0java/lang\0Object\0class\0";
    let at = |text: &str| {
        strings
            .windows(text.len())
            .position(|w| w == text.as_bytes())
            .expect("there") as u8
    };
    let parts = [
        (1, at("java.base")),
        (2, at("java/lang")),
        (3, at("Object")),
        (4, at("class")),
        (7, 4),
    ];
    let mut location = vec![0];
    for (kind, value) in parts {
        location.extend([kind << 3, value]);
    }
    location.push(0);
    let mut image = Vec::new();
    let words = [
        0xCAFE_DADA,
        0x1_0000,
        0,
        1,
        1,
        location.len() as u32,
        strings.len() as u32,
        -1i32 as u32,
        1,
    ];
    for word in words {
        image.extend(u32::to_le_bytes(word));
    }
    image.extend(location);
    image.extend(strings);
    image.extend([0xCA, 0xFE, 0xBA, 0xBE]);
    image
}

#[test]
fn damaged_images_never_panic() {
    let good = small_image();
    let leak = |bytes: &[u8]| -> &'static [u8] { bytes.to_vec().leak() };
    let image = JImage::from_bytes(leak(&good)).expect("the small image");
    assert_eq!(
        image.find("java.base", "java/lang/Object.class"),
        Some(&[0xCA, 0xFE, 0xBA, 0xBE][..])
    );
    let use_all = |bytes: &[u8]| {
        if let Ok(image) = JImage::from_bytes(leak(bytes)) {
            let _ = (
                image.entries().count(),
                image.package_to_module("java.lang"),
                image.find("a", "b"),
            );
        }
    };
    for len in 0..good.len() {
        use_all(&good[..len]);
    }
    for at in 0..good.len() {
        for value in [0, 1, 0x7F, 0x80, 0xFF, good[at] ^ 0x08] {
            let mut bad = good.clone();
            bad[at] = value;
            use_all(&bad);
        }
    }
    assert_eq!(
        JImage::from_bytes(b"PK\x03\x04").err().as_deref(),
        Some("not a jimage file")
    );
}

#[test]
fn a_compressed_resource_is_named() {
    let mut bytes = small_image();
    // The length attribute becomes the compressed length.
    let at = bytes.iter().position(|&b| b == 7 << 3).expect("the attribute");
    bytes[at] = 6 << 3;
    let error = JImage::from_bytes(bytes.leak()).err().expect("compressed");
    assert!(
        error.contains("/java.base/java/lang/Object.class") && error.contains("compressed"),
        "{error}"
    );
}
