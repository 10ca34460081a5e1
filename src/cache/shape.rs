//! What can be seen of a class whose code has not run: all of its file but the code. Two files with the same shape are the same
//! to whoever loads them, inspects them by reflection and runs nothing of theirs.

/// Attributes that only running code depends on.
const OF_CODE: [&[u8]; 4] = [
    b"Code",
    b"BootstrapMethods",
    b"SourceFile",
    b"SourceDebugExtension",
];

/// The digest of a class file's shape, or of the whole file where something in it is not known here.
pub fn of(bytes: &[u8]) -> String {
    let mut shape = Shape {
        hasher: blake3::Hasher::new(),
        pool: Vec::new(),
        bytes,
        at: 0,
    };
    match shape.class() {
        Some(()) => format!("shape {}", shape.hasher.finalize().to_hex()),
        None => format!("whole {}", blake3::hash(bytes).to_hex()),
    }
}

#[derive(Clone, Copy)]
enum Constant<'b> {
    Nothing,
    Text(&'b [u8]),
    /// A number, by its bytes.
    Number(&'b [u8]),
    /// A constant that names another: a class, a string.
    Named(u16),
    /// Two others: a member's name and type.
    Pair(u16, u16),
}

struct Shape<'b> {
    hasher: blake3::Hasher,
    pool: Vec<Constant<'b>>,
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Shape<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1).map(|b| b[0])
    }

    fn u16(&mut self) -> Option<u16> {
        self.take(2).map(|b| u16::from_be_bytes([b[0], b[1]]))
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4).map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]))
    }

    fn add(&mut self, bytes: &[u8]) {
        self.hasher.update(&(bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
    }

    /// Reads a number and adds it.
    fn same(&mut self) -> Option<u16> {
        let number = self.u16()?;
        self.add(&number.to_be_bytes());
        Some(number)
    }

    fn text(&self, index: u16) -> Option<&'b [u8]> {
        match self.pool.get(usize::from(index))? {
            Constant::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Adds what an index stands for.
    fn add_constant(&mut self, index: u16) -> Option<()> {
        if index == 0 {
            self.add(b"none");
            return Some(());
        }
        match *self.pool.get(usize::from(index))? {
            Constant::Text(text) | Constant::Number(text) => self.add(text),
            Constant::Named(name) => self.add(self.text(name)?),
            Constant::Pair(name, desc) => {
                self.add(self.text(name)?);
                self.add(self.text(desc)?);
            }
            Constant::Nothing => return None,
        }
        Some(())
    }

    /// Reads an index and adds what it stands for.
    fn constant(&mut self) -> Option<()> {
        let index = self.u16()?;
        self.add_constant(index)
    }

    fn constants(&mut self) -> Option<()> {
        let count = self.same()?;
        (0..count).try_for_each(|_| self.constant())
    }

    fn class(&mut self) -> Option<()> {
        let (magic, version) = (self.take(4)?, self.take(4)?);
        self.add(magic);
        self.add(version);
        self.read_pool()?;
        self.same()?;
        self.constant()?;
        self.constant()?;
        self.constants()?;
        for _ in 0..2 {
            let members = self.same()?;
            for _ in 0..members {
                self.same()?;
                self.constant()?;
                self.constant()?;
                self.attributes()?;
            }
        }
        self.attributes()?;
        (self.at == self.bytes.len()).then_some(())
    }

    fn read_pool(&mut self) -> Option<()> {
        let count = usize::from(self.u16()?);
        self.pool.push(Constant::Nothing);
        while self.pool.len() < count {
            let tag = self.u8()?;
            let constant = match tag {
                1 => {
                    let length = usize::from(self.u16()?);
                    Constant::Text(self.take(length)?)
                }
                3 | 4 => Constant::Number(self.take(4)?),
                5 | 6 => Constant::Number(self.take(8)?),
                7 | 8 | 16 | 19 | 20 => Constant::Named(self.u16()?),
                9..=12 | 17 | 18 => Constant::Pair(self.u16()?, self.u16()?),
                15 => {
                    self.take(3)?;
                    Constant::Nothing
                }
                _ => return None,
            };
            self.pool.push(constant);
            if matches!(tag, 5 | 6) {
                self.pool.push(Constant::Nothing);
            }
        }
        Some(())
    }

    fn attributes(&mut self) -> Option<()> {
        let count = self.u16()?;
        for _ in 0..count {
            let name = self.u16()?;
            let name = self.text(name)?;
            let length = self.u32()? as usize;
            let end = self.at.checked_add(length)?;
            if OF_CODE.contains(&name) {
                self.take(length)?;
                // Whether there is code at all can be seen.
                self.add(if name == b"Code" { b"Code" } else { b"" });
                continue;
            }
            self.add(name);
            self.attribute(name)?;
            if self.at != end {
                return None;
            }
        }
        self.add(b"end");
        Some(())
    }

    fn attribute(&mut self, name: &[u8]) -> Option<()> {
        match name {
            b"ConstantValue" | b"Signature" | b"NestHost" => self.constant(),
            b"Exceptions" | b"NestMembers" | b"PermittedSubclasses" => self.constants(),
            b"Synthetic" | b"Deprecated" => Some(()),
            b"EnclosingMethod" => {
                self.constant()?;
                self.constant()
            }
            b"InnerClasses" => {
                let count = self.same()?;
                (0..count).try_for_each(|_| {
                    self.constant()?;
                    self.constant()?;
                    self.constant()?;
                    self.same().map(|_| ())
                })
            }
            b"MethodParameters" => {
                let count = self.u8()?;
                self.add(&[count]);
                (0..count).try_for_each(|_| {
                    self.constant()?;
                    self.same().map(|_| ())
                })
            }
            b"Record" => {
                let count = self.same()?;
                (0..count).try_for_each(|_| {
                    self.constant()?;
                    self.constant()?;
                    self.attributes()
                })
            }
            b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => self.annotations(),
            b"RuntimeVisibleParameterAnnotations" | b"RuntimeInvisibleParameterAnnotations" => {
                let count = self.u8()?;
                self.add(&[count]);
                (0..count).try_for_each(|_| self.annotations())
            }
            b"AnnotationDefault" => self.value(0),
            _ => None,
        }
    }

    fn annotations(&mut self) -> Option<()> {
        let count = self.same()?;
        (0..count).try_for_each(|_| self.annotation(0))
    }

    fn annotation(&mut self, depth: u32) -> Option<()> {
        self.constant()?;
        let count = self.same()?;
        (0..count).try_for_each(|_| {
            self.constant()?;
            self.value(depth + 1)
        })
    }

    fn value(&mut self, depth: u32) -> Option<()> {
        const DEEPEST: u32 = 64;
        let tag = self.u8().filter(|_| depth < DEEPEST)?;
        self.add(&[tag]);
        match tag {
            b'e' => {
                self.constant()?;
                self.constant()
            }
            b'@' => self.annotation(depth + 1),
            b'[' => {
                let count = self.same()?;
                (0..count).try_for_each(|_| self.value(depth + 1))
            }
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => self.constant(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poldet_testdata::compile::junit_classes;

    fn compiled(name: &str, body: &str) -> Option<Vec<u8>> {
        let dir = std::env::temp_dir().join(format!("poldet-shape-{}-{name}", std::process::id()));
        let source = dir.join("src");
        std::fs::create_dir_all(&source).unwrap();
        std::fs::write(source.join("SomeTest.java"), body).unwrap();
        let classes = junit_classes(&source, &dir.join("classes"))?;
        let bytes = std::fs::read(classes.join("SomeTest.class")).unwrap();
        std::fs::remove_dir_all(dir).unwrap();
        Some(bytes)
    }

    #[test]
    fn code_is_no_part_of_the_shape() {
        let text = |annotation: &str, body: &str| {
            format!(
                "import org.junit.*; public class SomeTest {{ static final int N = 3; {annotation} public void t() throws Exception {{ {body} }} }}"
            )
        };
        let make = |name: &str, annotation: &str, body: &str| compiled(name, &text(annotation, body));
        let (Some(one), Some(two), Some(three)) = (
            make("1", "@Test", "System.out.println(1);"),
            make(
                "2",
                "@Test",
                // Not by `+`: a compiler may link that dynamically, and then lists a class of the JDK among the inner ones.
                "String s = String.valueOf(System.nanoTime()); if (s.isEmpty()) throw new Exception(s);",
            ),
            make("3", "@Test(timeout = 5)", "System.out.println(1);"),
        ) else {
            return;
        };
        assert!(of(&one).starts_with("shape "));
        assert_eq!(of(&one), of(&two));
        assert_ne!(of(&one), of(&three));
        // What is cut is a whole of its own.
        assert!(of(&one[..one.len() - 1]).starts_with("whole "));
    }
}
