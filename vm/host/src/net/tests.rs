//! The network as a program sees it.

use super::*;

fn served(net: &mut Net) -> (u32, u32, u32) {
    let listener = net.socket(true, true);
    net.bind(listener, Addr::inet(Ip::ANY6, 0)).unwrap();
    net.listen(listener, 50).unwrap();
    let port = net.local(listener).unwrap().unwrap().port();
    let client = net.socket(true, true);
    assert_eq!(
        net.connect(client, Addr::inet(Ip::LOOPBACK4, port)),
        Ok(Connect::Done)
    );
    let server = net.accept(listener).unwrap();
    (listener, client, server)
}

#[test]
fn bytes_travel_and_end() {
    let mut net = Net::new();
    let (listener, client, server) = served(&mut net);
    assert_eq!(net.local(listener).unwrap().unwrap().port(), 32768);
    assert_eq!(net.remote(server).unwrap(), net.local(client).unwrap().unwrap());
    let mut buffer = [0; 8];
    assert_eq!(net.read(server, &mut buffer), Err(Errno::AGAIN));
    assert_eq!(net.write(client, b"hello"), Ok(5));
    assert!(net.take_wakes().contains(&channel(server)));
    assert_eq!(net.available(server), Ok(5));
    assert_eq!(net.read(server, &mut buffer), Ok(5));
    net.close(client).unwrap();
    assert_eq!(net.read(server, &mut buffer), Ok(0));
    assert_eq!(net.write(server, b"x"), Ok(1));
    assert_eq!(net.write(server, b"x"), Err(Errno::PIPE));
    assert_eq!(net.read(server, &mut buffer), Ok(0));
}

#[test]
fn unread_bytes_reset_the_connection() {
    let mut net = Net::new();
    let (_, client, server) = served(&mut net);
    net.write(client, b"lost").unwrap();
    net.close(server).unwrap();
    assert_eq!(net.read(client, &mut [0; 4]), Err(Errno::CONNRESET));
    assert_eq!(net.read(client, &mut [0; 4]), Ok(0));
}

#[test]
fn nobody_listens_and_nothing_is_reachable() {
    let mut net = Net::new();
    let socket = net.socket(true, true);
    assert_eq!(
        net.connect(socket, Addr::inet(Ip::LOOPBACK4, 1)),
        Err(Errno::CONNREFUSED)
    );
    let other = net.socket(true, true);
    assert_eq!(
        net.connect(other, Addr::inet(Ip::V4([10, 0, 0, 1]), 1)),
        Err(Errno::NETUNREACH)
    );
    let third = net.socket(true, true);
    net.set_nonblocking(third, true).unwrap();
    assert_eq!(
        net.connect(third, Addr::inet(Ip::LOOPBACK4, 1)),
        Err(Errno::INPROGRESS)
    );
    assert_eq!(net.finish_connect(third), Err(Errno::CONNREFUSED));
}

#[test]
fn a_port_is_bound_once() {
    let mut net = Net::new();
    let (listener, ..) = served(&mut net);
    let port = net.local(listener).unwrap().unwrap().port();
    let second = net.socket(true, false);
    assert_eq!(
        net.bind(second, Addr::inet(Ip::LOOPBACK4, port)),
        Err(Errno::ADDRINUSE)
    );
    assert_eq!(
        net.bind(second, Addr::inet(Ip::V4([10, 0, 0, 1]), 0)),
        Err(Errno::ADDRNOTAVAIL)
    );
}

#[test]
fn datagrams_keep_their_borders() {
    let mut net = Net::new();
    let (a, b) = (net.socket(false, true), net.socket(false, true));
    net.bind(a, Addr::inet(Ip::ANY6, 0)).unwrap();
    let port = net.local(a).unwrap().unwrap().port();
    net.send(b, b"one", Some(Addr::inet(Ip::LOOPBACK4, port)))
        .unwrap();
    net.send(b, b"two", Some(Addr::inet(Ip::LOOPBACK4, port)))
        .unwrap();
    let mut buffer = [0; 2];
    let (n, from) = net.receive(a, &mut buffer).unwrap();
    assert_eq!((n, &buffer, from.ip()), (2, b"on", Ip::LOOPBACK4));
    assert_eq!(net.available(a), Ok(3));
}

#[test]
fn an_unreachable_port_is_told_to_connected_senders() {
    let mut net = Net::new();
    let a = net.socket(false, true);
    net.connect_datagram(a, Addr::inet(Ip::LOOPBACK4, 9)).unwrap();
    assert_eq!(net.send(a, b"x", None), Ok(1));
    assert_eq!(net.receive(a, &mut [0; 4]), Err(Errno::CONNREFUSED));
}

#[test]
fn pollers_report_what_is_ready() {
    let mut net = Net::new();
    let (listener, client, server) = served(&mut net);
    let poller = net.poller();
    net.control(poller, libc::EPOLL_CTL_ADD, server, 7, IN).unwrap();
    net.control(
        poller,
        libc::EPOLL_CTL_ADD,
        listener,
        8,
        IN | libc::EPOLLONESHOT as u32,
    )
    .unwrap();
    assert_eq!(net.collect(poller, 8), Ok(vec![]));
    net.take_wakes();
    net.write(client, b"x").unwrap();
    assert!(net.take_wakes().contains(&channel(poller)));
    assert_eq!(net.collect(poller, 8), Ok(vec![(7, IN)]));
    let port = net.local(listener).unwrap().unwrap().port();
    let late = net.socket(true, true);
    net.connect(late, Addr::inet(Ip::LOOPBACK6, port)).unwrap();
    assert_eq!(net.collect(poller, 8).unwrap().len(), 2);
    assert_eq!(net.collect(poller, 8).unwrap().len(), 1);
    net.close(server).unwrap();
    assert_eq!(net.collect(poller, 8), Ok(vec![]));
}

#[test]
fn pipes_go_one_way() {
    let mut net = Net::new();
    let (read, write) = net.pipe();
    assert_eq!(net.ready(write), OUT);
    assert_eq!(net.ready(read), 0);
    net.write(write, b"ab").unwrap();
    assert_eq!(net.ready(read), IN);
    let mut two = [0; 2];
    assert_eq!(net.read(read, &mut two), Ok(2));
    net.close(write).unwrap();
    assert_eq!(net.read(read, &mut two), Ok(0));
    let (read, write) = net.pipe();
    net.close(read).unwrap();
    assert_eq!(net.write(write, b"x"), Err(Errno::PIPE));
}

#[test]
fn a_full_backlog_waits() {
    let mut net = Net::new();
    let listener = net.socket(true, false);
    net.bind(listener, Addr::inet(Ip::ANY4, 0)).unwrap();
    net.listen(listener, 0).unwrap();
    let to = Addr::inet(Ip::LOOPBACK4, net.local(listener).unwrap().unwrap().port());
    let (a, b) = (net.socket(true, false), net.socket(true, false));
    assert_eq!(net.connect(a, to.clone()), Ok(Connect::Done));
    assert_eq!(net.connect(b, to.clone()), Ok(Connect::Wait));
    net.accept(listener).unwrap();
    assert_eq!(net.connect(b, to), Ok(Connect::Done));
    net.close(listener).unwrap();
    assert_eq!(net.read(b, &mut [0; 1]), Err(Errno::CONNRESET));
}

#[test]
fn deadlines_survive_retries() {
    let mut net = Net::new();
    assert_eq!(net.deadline(1, 100), 100);
    assert_eq!(net.deadline(1, 250), 100);
    net.end_wait(1);
    assert_eq!(net.deadline(1, 250), 250);
}
