//! Watching folders: what `inotify` would report of the guest's own changes. Changes by others are not seen, so that
//! two runs see the same.

/// One watched folder.
#[derive(Clone, Debug)]
struct Watch {
    /// The object that events are written to.
    instance: u32,
    number: i32,
    folder: Vec<u8>,
    mask: u32,
}

/// Something happened to an entry of a watched folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub instance: u32,
    number: i32,
    mask: u32,
    cookie: u32,
    name: Vec<u8>,
}

impl Event {
    /// As `struct inotify_event`, with the name padded as the kernel does.
    pub fn encode(&self) -> Vec<u8> {
        let len = if self.name.is_empty() {
            0
        } else {
            (self.name.len() + 1).next_multiple_of(16)
        };
        let mut out = Vec::with_capacity(16 + len);
        out.extend_from_slice(&self.number.to_ne_bytes());
        out.extend_from_slice(&self.mask.to_ne_bytes());
        out.extend_from_slice(&self.cookie.to_ne_bytes());
        out.extend_from_slice(&(len as u32).to_ne_bytes());
        out.extend_from_slice(&self.name);
        out.resize(16 + len, 0);
        out
    }
}

#[derive(Debug, Default)]
pub struct Watches {
    watches: Vec<Watch>,
    last: i32,
    last_cookie: u32,
    events: Vec<Event>,
}

impl Watches {
    pub fn is_empty(&self) -> bool {
        self.watches.is_empty()
    }

    /// Watches a folder (given without links in its path); watching it again changes the mask.
    pub fn add(&mut self, instance: u32, folder: Vec<u8>, mask: u32) -> i32 {
        if let Some(known) = self
            .watches
            .iter_mut()
            .find(|w| w.instance == instance && w.folder == folder)
        {
            known.mask = mask;
            return known.number;
        }
        self.last += 1;
        self.watches.push(Watch {
            instance,
            number: self.last,
            folder,
            mask,
        });
        self.last
    }

    /// Stops watching; the watcher learns that the number is void.
    pub fn remove(&mut self, instance: u32, number: i32) -> bool {
        let Some(at) = self
            .watches
            .iter()
            .position(|w| w.instance == instance && w.number == number)
        else {
            return false;
        };
        self.watches.remove(at);
        self.push(Event {
            instance,
            number,
            mask: libc::IN_IGNORED,
            cookie: 0,
            name: Vec::new(),
        });
        true
    }

    /// An instance is closed.
    pub fn forget(&mut self, instance: u32) {
        self.watches.retain(|w| w.instance != instance);
        self.events.retain(|e| e.instance != instance);
    }

    /// A new number to tie the two halves of a rename together.
    pub fn cookie(&mut self) -> u32 {
        self.last_cookie += 1;
        self.last_cookie
    }

    /// An entry of a folder has changed.
    pub fn note(&mut self, folder: &[u8], name: &[u8], mask: u32, cookie: u32) {
        let interested: Vec<Watch> = self
            .watches
            .iter()
            .filter(|w| w.folder == folder && w.mask & mask != 0)
            .cloned()
            .collect();
        for watch in interested {
            let Watch { instance, number, .. } = watch;
            self.push(Event {
                instance,
                number,
                mask,
                cookie,
                name: name.to_vec(),
            });
        }
    }

    /// A watched folder is gone.
    pub fn folder_gone(&mut self, folder: &[u8]) {
        let gone: Vec<(u32, i32)> = self
            .watches
            .iter()
            .filter(|w| w.folder == folder)
            .map(|w| (w.instance, w.number))
            .collect();
        for (instance, number) in gone {
            self.remove(instance, number);
        }
    }

    /// The kernel drops an event that repeats the last one.
    fn push(&mut self, event: Event) {
        if self.events.last() != Some(&event) {
            self.events.push(event);
        }
    }

    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_go_to_those_who_asked() {
        let mut watches = Watches::default();
        let number = watches.add(7, b"/d".to_vec(), libc::IN_CREATE);
        watches.note(b"/d", b"x", libc::IN_CREATE, 0);
        watches.note(b"/d", b"x", libc::IN_CREATE, 0);
        watches.note(b"/d", b"x", libc::IN_DELETE, 0);
        watches.note(b"/e", b"x", libc::IN_CREATE, 0);
        let events = watches.take_events();
        assert_eq!(events.len(), 1);
        assert_eq!(events[0].encode().len(), 32);
        watches.folder_gone(b"/d");
        assert_eq!(watches.take_events()[0].mask, libc::IN_IGNORED);
        assert!(!watches.remove(7, number));
    }
}
