//! Blobs and folders by their SHA-256, as REAPI names them.

use bazel_remote_apis::build::bazel::remote::execution::v2::{Digest, Directory, DirectoryNode, FileNode};
use prost::Message;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a file that are hashed or sent at once.
pub const CHUNK: usize = 1 << 20;

/// Where the bytes of a blob come from.
#[derive(Clone, Debug)]
pub enum Source {
    Bytes(Arc<[u8]>),
    File(PathBuf),
}

#[derive(Clone, Debug)]
pub struct Blob {
    pub digest: Digest,
    pub source: Source,
}

impl Blob {
    pub fn of_bytes(bytes: Vec<u8>) -> Blob {
        Blob {
            digest: digest(&bytes),
            source: Source::Bytes(bytes.into()),
        }
    }

    pub fn of_file(path: &Path) -> io::Result<Blob> {
        let mut file = File::open(path)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; CHUNK];
        let mut size = 0;
        loop {
            let count = file.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            hasher.update(&buffer[..count]);
            size += count as i64;
        }
        Ok(Blob {
            digest: Digest {
                hash: hex(&hasher.finalize()),
                size_bytes: size,
            },
            source: Source::File(path.to_owned()),
        })
    }

    pub fn size(&self) -> u64 {
        u64::try_from(self.digest.size_bytes).unwrap_or_default()
    }

    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        match &self.source {
            Source::Bytes(bytes) => Ok(bytes.to_vec()),
            Source::File(path) => std::fs::read(path),
        }
    }
}

pub fn digest(bytes: &[u8]) -> Digest {
    Digest {
        hash: hex(&Sha256::digest(bytes)),
        size_bytes: bytes.len() as i64,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// What is at a name of a folder.
enum Node {
    File(Digest, bool),
    Folder(Tree),
    /// A folder that was sealed before.
    Sealed(Digest),
}

/// A folder that is being put together.
#[derive(Default)]
pub struct Tree {
    nodes: BTreeMap<String, Node>,
}

impl Tree {
    /// Puts a file below this folder; `at` has names between slashes.
    pub fn file(&mut self, at: &str, digest: Digest, executable: bool) {
        self.put(at, Node::File(digest, executable));
    }

    /// Puts a folder whose blobs are known already.
    pub fn folder(&mut self, at: &str, digest: Digest) {
        self.put(at, Node::Sealed(digest));
    }

    fn put(&mut self, at: &str, node: Node) {
        match at.split_once('/') {
            None => {
                self.nodes.insert(at.to_owned(), node);
            }
            Some((first, rest)) => {
                let inner = self.nodes.entry(first.to_owned());
                let inner = inner.or_insert_with(|| Node::Folder(Tree::default()));
                if let Node::Folder(tree) = inner {
                    tree.put(rest, node);
                }
            }
        }
    }

    /// The folder's digest; its own blob and those of folders below it are added.
    pub fn seal(&self, blobs: &mut Vec<Blob>) -> Digest {
        // REAPI wants names sorted, and a map is.
        let mut directory = Directory::default();
        for (name, node) in &self.nodes {
            let name = name.clone();
            match node {
                Node::File(digest, executable) => directory.files.push(FileNode {
                    name,
                    digest: Some(digest.clone()),
                    is_executable: *executable,
                    node_properties: None,
                }),
                Node::Folder(tree) => directory.directories.push(DirectoryNode {
                    name,
                    digest: Some(tree.seal(blobs)),
                }),
                Node::Sealed(digest) => directory.directories.push(DirectoryNode {
                    name,
                    digest: Some(digest.clone()),
                }),
            }
        }
        let blob = Blob::of_bytes(directory.encode_to_vec());
        let digest = blob.digest.clone();
        blobs.push(blob);
        digest
    }
}

/// A folder of this machine: its digest, and all blobs of it. Links are followed, since they may lead out of it.
pub fn folder(dir: &Path, leave_out: &[&str]) -> io::Result<(Digest, Vec<Blob>)> {
    let mut tree = Tree::default();
    let mut blobs = Vec::new();
    for (name, path) in crate::cache::digest::files(dir)? {
        if leave_out.iter().any(|out| Path::new(&name).starts_with(out)) {
            continue;
        }
        let blob = Blob::of_file(&path)?;
        let executable = std::fs::metadata(&path)?.permissions().mode() & 0o100 != 0;
        tree.file(&name, blob.digest.clone(), executable);
        blobs.push(blob);
    }
    let digest = tree.seal(&mut blobs);
    Ok((digest, blobs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_of_a_folder_follows_from_its_contents() {
        let file = |text: &str| digest(text.as_bytes());
        let mut one = Tree::default();
        one.file("b/c", file("x"), false);
        one.file("a", file("y"), true);
        let mut other = Tree::default();
        other.file("a", file("y"), true);
        let mut inner = Tree::default();
        inner.file("c", file("x"), false);
        let mut blobs = Vec::new();
        let sealed = inner.seal(&mut blobs);
        other.folder("b", sealed);
        assert_eq!(one.seal(&mut blobs), other.seal(&mut blobs));
        // The empty blob has the digest that everybody knows.
        assert!(file("").hash.starts_with("e3b0c44298fc1c14"));
    }
}
