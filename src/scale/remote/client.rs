//! One server: its storage, its action cache, its executions.

use crate::scale::remote::tree::{Blob, CHUNK, Source, digest};
use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation, operation};
use prost::Message;
use reapi::action_cache_client::ActionCacheClient;
use reapi::batch_update_blobs_request::Request as Update;
use reapi::capabilities_client::CapabilitiesClient;
use reapi::content_addressable_storage_client::ContentAddressableStorageClient;
use reapi::digest_function::Value::Sha256;
use reapi::execution_client::ExecutionClient;
use reapi::{ActionResult, Digest, ExecuteResponse};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::Semaphore;
use tonic::codegen::tokio_stream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status, Streaming};

/// What a message may have unless the server says otherwise, with room for what surrounds the blobs.
const MESSAGE: u64 = 4 << 20;
const ROOM: u64 = 64 << 10;
/// Blobs that are asked for at once.
const ASKED: usize = 4000;
/// Blobs that are uploaded at the same time.
const UPLOADS: usize = 4;
/// How long a server may be away.
const PATIENCE: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(500);
/// How long a request that does no work may take.
const ANSWER: Duration = Duration::from_secs(60);

/// Why something did not come about.
#[derive(Debug)]
pub enum Fault {
    /// The server is away, or has lost what it knew: the same can be asked again.
    Away(String),
    /// The server no longer has a blob that it had.
    Lost(String),
    /// This job failed.
    Job(String),
    /// Nothing will work with this server.
    Server(String),
}

impl Fault {
    pub fn of(status: &Status) -> Fault {
        let text = format!("{:?}: {}", status.code(), one_line(status.message()));
        match status.code() {
            Code::Unavailable | Code::Cancelled | Code::Unknown | Code::Internal | Code::Aborted => {
                Fault::Away(text)
            }
            Code::ResourceExhausted | Code::DeadlineExceeded => Fault::Away(text),
            Code::FailedPrecondition | Code::NotFound => Fault::Lost(text),
            Code::Unauthenticated | Code::PermissionDenied | Code::Unimplemented => Fault::Server(text),
            _ => Fault::Job(text),
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Fault::Away(text) | Fault::Lost(text) | Fault::Job(text) | Fault::Server(text) => text,
        }
    }
}

pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub struct Client {
    channel: Channel,
    instance: String,
    /// Bytes of blobs in one message.
    batch: u64,
    /// Digests that the server has.
    present: Mutex<BTreeSet<String>>,
    uploads: Semaphore,
    /// When the server answered last.
    heard: Mutex<Instant>,
    /// Executions that are under way.
    running: Mutex<BTreeSet<String>>,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Client {
    /// Connects; `address` is what follows `grpc://`: host, port and perhaps an instance.
    pub async fn connect(address: &str) -> Result<Client, String> {
        let (host, instance) = address.split_once('/').unwrap_or((address, ""));
        let wrong = |e: &dyn std::fmt::Display| format!("--on 'grpc://{address}': {e}");
        let named = host
            .rsplit_once(':')
            .is_some_and(|(name, port)| !name.is_empty() && port.parse::<u16>().is_ok());
        if !named {
            return Err(wrong(&"give grpc://HOST:PORT or grpc://HOST:PORT/INSTANCE"));
        }
        let endpoint = Endpoint::from_shared(format!("http://{host}")).map_err(|e| wrong(&e))?;
        let channel = endpoint
            .connect_timeout(Duration::from_secs(10))
            .tcp_keepalive(Some(Duration::from_secs(30)))
            .connect_lazy();
        let mut client = Client {
            channel,
            instance: instance.to_owned(),
            batch: MESSAGE - ROOM,
            present: Mutex::default(),
            uploads: Semaphore::new(UPLOADS),
            heard: Mutex::new(Instant::now()),
            running: Mutex::default(),
        };
        let request = timed(reapi::GetCapabilitiesRequest {
            instance_name: client.instance.clone(),
        });
        let answer = CapabilitiesClient::new(client.channel.clone())
            .get_capabilities(request)
            .await;
        let can = answer
            .map_err(|status| wrong(&format!("the server does not answer ({})", cause(&status))))?
            .into_inner();
        let executes = can
            .execution_capabilities
            .as_ref()
            .is_some_and(|e| e.exec_enabled);
        if !executes {
            return Err(wrong(&"the server does not execute"));
        }
        if let Some(cache) = &can.cache_capabilities {
            if !cache.digest_functions.is_empty() && !cache.digest_functions.contains(&i32::from(Sha256)) {
                return Err(wrong(&"the server does not know SHA-256"));
            }
            let most = u64::try_from(cache.max_batch_total_size_bytes).unwrap_or_default();
            if most > 0 {
                client.batch = most.min(MESSAGE).saturating_sub(ROOM).max(1);
            }
        }
        Ok(client)
    }

    fn good(&self) {
        *locked(&self.heard) = Instant::now();
    }

    /// Waits a moment for a server that is away; an error after it has been away for long.
    pub async fn pause(&self, why: &str) -> Result<(), Fault> {
        if self.heard().elapsed() > PATIENCE {
            return Err(Fault::Server(format!(
                "the server has not answered for {} s: {why}",
                PATIENCE.as_secs()
            )));
        }
        tokio::time::sleep(PAUSE).await;
        Ok(())
    }

    /// When the server answered last.
    pub fn heard(&self) -> Instant {
        *locked(&self.heard)
    }

    /// Nothing is known of what the server has.
    pub fn forget(&self) {
        locked(&self.present).clear();
    }

    /// The result of an action that ran before.
    pub async fn known(&self, action: &Digest) -> Result<Option<ActionResult>, Fault> {
        let request = timed(reapi::GetActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(action.clone()),
            ..Default::default()
        });
        match ActionCacheClient::new(self.channel.clone())
            .get_action_result(request)
            .await
        {
            Ok(result) => {
                self.good();
                Ok(Some(result.into_inner()))
            }
            Err(status) if status.code() == Code::NotFound => {
                self.good();
                Ok(None)
            }
            Err(status) => Err(Fault::of(&status)),
        }
    }

    /// Uploads what the server does not have.
    pub async fn upload(&self, blobs: &[Blob]) -> Result<(), Fault> {
        let unknown: Vec<&Blob> = {
            let present = locked(&self.present);
            let mut seen = BTreeSet::new();
            let unknown = blobs.iter().filter(|b| !present.contains(&b.digest.hash));
            unknown.filter(|b| seen.insert(&b.digest.hash)).collect()
        };
        if unknown.is_empty() {
            return Ok(());
        }
        let _turn = self.uploads.acquire().await;
        let mut storage = ContentAddressableStorageClient::new(self.channel.clone());
        let mut missing = BTreeSet::new();
        for part in unknown.chunks(ASKED) {
            let request = timed(reapi::FindMissingBlobsRequest {
                instance_name: self.instance.clone(),
                blob_digests: part.iter().map(|b| b.digest.clone()).collect(),
                ..Default::default()
            });
            let answer = storage
                .find_missing_blobs(request)
                .await
                .map_err(|s| Fault::of(&s))?;
            self.good();
            missing.extend(
                answer
                    .into_inner()
                    .missing_blob_digests
                    .into_iter()
                    .map(|d| d.hash),
            );
        }
        let mut small: Vec<Update> = Vec::new();
        let mut size = 0;
        for blob in unknown.iter().filter(|b| missing.contains(&b.digest.hash)) {
            if blob.size() > self.batch {
                self.write(blob).await?;
                continue;
            }
            if size + blob.size() > self.batch {
                self.update(std::mem::take(&mut small)).await?;
                size = 0;
            }
            size += blob.size();
            small.push(Update {
                digest: Some(blob.digest.clone()),
                data: blob.bytes().map_err(|e| unreadable(blob, &e))?,
                ..Default::default()
            });
        }
        if !small.is_empty() {
            self.update(small).await?;
        }
        locked(&self.present).extend(unknown.iter().map(|b| b.digest.hash.clone()));
        Ok(())
    }

    async fn update(&self, requests: Vec<Update>) -> Result<(), Fault> {
        let request = timed(reapi::BatchUpdateBlobsRequest {
            instance_name: self.instance.clone(),
            requests,
            ..Default::default()
        });
        let mut storage = ContentAddressableStorageClient::new(self.channel.clone());
        let answer = storage
            .batch_update_blobs(request)
            .await
            .map_err(|s| Fault::of(&s))?;
        self.good();
        for one in answer.into_inner().responses {
            if let Some(status) = one.status.filter(|s| s.code != 0) {
                return Err(Fault::of(&Status::new(
                    Code::from_i32(status.code),
                    status.message,
                )));
            }
        }
        Ok(())
    }

    /// Sends one blob in parts.
    async fn write(&self, blob: &Blob) -> Result<(), Fault> {
        let slash = if self.instance.is_empty() { "" } else { "/" };
        let name = format!(
            "{}{slash}uploads/{}/blobs/{}/{}",
            self.instance,
            unique(),
            blob.digest.hash,
            blob.digest.size_bytes
        );
        let parts = Parts::of(blob, name).map_err(|e| unreadable(blob, &e))?;
        let mut stream = ByteStreamClient::new(self.channel.clone());
        let sent = stream.write(tokio_stream::iter(parts)).await;
        let committed = sent.map_err(|s| Fault::of(&s))?.into_inner().committed_size;
        self.good();
        match committed == blob.digest.size_bytes {
            true => Ok(()),
            false => Err(Fault::Away(format!(
                "{committed} of {} bytes arrived",
                blob.digest.size_bytes
            ))),
        }
    }

    /// Fetches a blob and checks it.
    pub async fn fetch(&self, wanted: &Digest) -> Result<Vec<u8>, Fault> {
        let slash = if self.instance.is_empty() { "" } else { "/" };
        let request = ReadRequest {
            resource_name: format!(
                "{}{slash}blobs/{}/{}",
                self.instance, wanted.hash, wanted.size_bytes
            ),
            read_offset: 0,
            read_limit: 0,
        };
        let mut client = ByteStreamClient::new(self.channel.clone());
        let mut stream = client
            .read(request)
            .await
            .map_err(|s| Fault::of(&s))?
            .into_inner();
        let mut bytes = Vec::new();
        while let Some(part) = stream.message().await.map_err(|s| Fault::of(&s))? {
            self.good();
            bytes.extend_from_slice(&part.data);
        }
        match digest(&bytes) == *wanted {
            true => Ok(bytes),
            false => Err(Fault::Away("a blob arrived damaged".into())),
        }
    }

    /// Executes an action whose blobs are there. A stream that breaks is taken up again as long as the server knows the execution.
    pub async fn execute(&self, action: &Digest, afresh: bool) -> Result<ExecuteResponse, Fault> {
        let mut name = String::new();
        let result = self.executed(action, afresh, &mut name).await;
        locked(&self.running).remove(&name);
        result
    }

    async fn executed(
        &self,
        action: &Digest,
        afresh: bool,
        name: &mut String,
    ) -> Result<ExecuteResponse, Fault> {
        let mut stream = self.begin(action, afresh).await?;
        loop {
            let broken = match stream.message().await {
                Ok(Some(operation)) => {
                    self.good();
                    if name.is_empty() {
                        name.clone_from(&operation.name);
                        locked(&self.running).insert(name.clone());
                    }
                    match finished(operation)? {
                        Some(response) => return Ok(response),
                        None => continue,
                    }
                }
                Ok(None) => "the stream ended".to_owned(),
                Err(status) => match Fault::of(&status) {
                    Fault::Away(text) => text,
                    other => return Err(other),
                },
            };
            stream = loop {
                self.pause(&broken).await?;
                if name.is_empty() {
                    return Err(Fault::Away(broken));
                }
                match self.wait(name).await {
                    Ok(stream) => break stream,
                    Err(Fault::Away(_)) => {}
                    // Unknown to a server that was restarted.
                    Err(_) => return Err(Fault::Away(broken)),
                }
            };
        }
    }

    async fn begin(&self, action: &Digest, afresh: bool) -> Result<Streaming<Operation>, Fault> {
        let request = reapi::ExecuteRequest {
            instance_name: self.instance.clone(),
            skip_cache_lookup: afresh,
            action_digest: Some(action.clone()),
            ..Default::default()
        };
        let answer = ExecutionClient::new(self.channel.clone()).execute(request).await;
        answer.map(tonic::Response::into_inner).map_err(|s| Fault::of(&s))
    }

    async fn wait(&self, name: &str) -> Result<Streaming<Operation>, Fault> {
        let request = reapi::WaitExecutionRequest {
            name: name.to_owned(),
        };
        let answer = ExecutionClient::new(self.channel.clone())
            .wait_execution(request)
            .await;
        answer.map(tonic::Response::into_inner).map_err(|s| Fault::of(&s))
    }

    /// Ends the executions that are under way, as far as the server lets it.
    pub async fn cancel(&self) {
        let names: Vec<String> = locked(&self.running).iter().cloned().collect();
        let mut operations = OperationsClient::new(self.channel.clone());
        for name in names {
            let request = operations.cancel_operation(CancelOperationRequest { name });
            let _ = tokio::time::timeout(Duration::from_secs(2), request).await;
        }
    }
}

/// A request that is answered at once.
fn timed<T>(message: T) -> tonic::Request<T> {
    let mut request = tonic::Request::new(message);
    request.set_timeout(ANSWER);
    request
}

fn cause(status: &Status) -> String {
    let mut text = one_line(status.message());
    let mut error = std::error::Error::source(status);
    while let Some(inner) = error {
        text = one_line(&inner.to_string());
        error = inner.source();
    }
    text
}

fn unreadable(blob: &Blob, e: &std::io::Error) -> Fault {
    match &blob.source {
        Source::File(path) => Fault::Job(format!("cannot read '{}': {e}", path.display())),
        Source::Bytes(_) => Fault::Job(e.to_string()),
    }
}

/// The answer of an operation that is done.
fn finished(operation: Operation) -> Result<Option<ExecuteResponse>, Fault> {
    if !operation.done {
        return Ok(None);
    }
    match operation.result {
        Some(operation::Result::Response(any)) => {
            let response = ExecuteResponse::decode(any.value.as_slice())
                .map_err(|e| Fault::Server(format!("the server's answer cannot be read: {e}")))?;
            match &response.status {
                Some(status) if status.code != 0 => {
                    let text = match response.message.is_empty() {
                        true => status.message.clone(),
                        false => format!("{} ({})", status.message, response.message),
                    };
                    Err(Fault::of(&Status::new(Code::from_i32(status.code), text)))
                }
                _ => Ok(Some(response)),
            }
        }
        Some(operation::Result::Error(status)) => Err(Fault::of(&Status::new(
            Code::from_i32(status.code),
            status.message,
        ))),
        None => Err(Fault::Server("the server's answer is empty".into())),
    }
}

/// A name that nobody else gives to an upload, in the form of a UUID.
fn unique() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let text = format!(
        "{} {} {} {number}",
        crate::scale::jobs::host(),
        std::process::id(),
        now.as_nanos()
    );
    let hex = blake3::hash(text.as_bytes()).to_hex();
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-4{}-a{}-{}",
        part(0, 8),
        part(8, 12),
        part(12, 15),
        part(15, 18),
        part(18, 30)
    )
}

/// The messages that send a blob.
struct Parts {
    from: Box<dyn Read + Send>,
    name: String,
    offset: i64,
    size: i64,
    ended: bool,
}

impl Parts {
    fn of(blob: &Blob, name: String) -> std::io::Result<Parts> {
        let from: Box<dyn Read + Send> = match &blob.source {
            Source::File(path) => Box::new(File::open(path)?),
            Source::Bytes(bytes) => Box::new(std::io::Cursor::new(bytes.to_vec())),
        };
        Ok(Parts {
            from,
            name,
            offset: 0,
            size: blob.digest.size_bytes,
            ended: false,
        })
    }
}

impl Iterator for Parts {
    type Item = WriteRequest;

    fn next(&mut self) -> Option<WriteRequest> {
        if self.ended {
            return None;
        }
        let mut data = vec![0; CHUNK];
        let mut filled = 0;
        while filled < CHUNK {
            match self.from.read(&mut data[filled..]) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                // The server sees too few bytes, and says so.
                Err(_) => break,
            }
        }
        data.truncate(filled);
        let offset = self.offset;
        self.offset += filled as i64;
        self.ended = filled < CHUNK || self.offset >= self.size;
        Some(WriteRequest {
            resource_name: if offset == 0 {
                std::mem::take(&mut self.name)
            } else {
                String::new()
            },
            write_offset: offset,
            finish_write: self.ended,
            data,
        })
    }
}
