package main

import (
	"fmt"
	"log"
	"net/netip"
	"os"
	"sync"
	"time"
)

// network is the site's link and those of the clients. Its lock guards all of them.
type network struct {
	lock    sync.Mutex
	site    *link
	clients []*link
	// owners are the links by the addresses that others send to.
	owners map[netip.Addr]*link
}

// openNetwork makes all namespaces and devices and starts to pass packets on. Returns the clients' namespaces.
func openNetwork(config configuration) (*network, []string, error) {
	addresses, err := parsePrefixes(config.Addresses)
	if err != nil {
		return nil, nil, err
	}
	device, err := openDevice(config.Device, addresses, false)
	if err != nil {
		return nil, nil, err
	}
	opened := &network{site: newLink(device, nil, 0), owners: map[netip.Addr]*link{}}
	opened.own(opened.site, addresses)
	var namespaces []string
	for i, client := range config.Clients {
		addresses, err := parsePrefixes(client.Addresses)
		if err != nil {
			return nil, nil, err
		}
		device, path, err := openInNewNamespace("eth0", addresses)
		if err != nil {
			return nil, nil, err
		}
		namespaces = append(namespaces, path)
		added := newLink(device, nil, uint64(i+1))
		if client.NatAddress != "" {
			address, err := netip.ParseAddr(client.NatAddress)
			if err != nil {
				return nil, nil, err
			}
			added.nat = newNat(address)
			opened.owners[address] = added
		}
		opened.own(added, addresses)
		opened.clients = append(opened.clients, added)
	}
	for _, item := range append([]*link{opened.site}, opened.clients...) {
		go opened.read(item)
		go opened.deliver(item.outbound, opened.forward)
		go opened.deliver(item.inbound, func(sent packet) { opened.receive(item, sent) })
	}
	return opened, namespaces, nil
}

func parsePrefixes(texts []string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, err
		}
		prefixes = append(prefixes, prefix)
	}
	return prefixes, nil
}

// own lets others reach a link by its addresses. Those behind a translation are reached by the public one alone.
func (n *network) own(owner *link, addresses []netip.Prefix) {
	for _, prefix := range addresses {
		if owner.nat == nil || prefix.Addr().Is6() {
			n.owners[prefix.Addr()] = owner
		}
	}
}

// read takes what a namespace sends.
func (n *network) read(from *link) {
	buffer := make([]byte, maxPacketBytes)
	for {
		length, err := from.device.Read(buffer)
		if err != nil {
			log.Fatalf("reading from %s: %v", from.device.Name(), err)
		}
		if sent, isPacket := parsePacket(append([]byte(nil), buffer[:length]...)); isPacket {
			n.send(from, sent)
		}
	}
}

func (n *network) send(from *link, sent packet) {
	n.lock.Lock()
	defer n.lock.Unlock()
	from.capture.record(sent.bytes)
	due, isPassed := from.accepts(sent)
	if !isPassed {
		return
	}
	if from.nat != nil && !sent.isIPv6 && !from.nat.translateOutward(sent) {
		return
	}
	enqueue(from.outbound, sent, due)
}

// forward passes a packet that has crossed its sender's link to the link of its destination.
func (n *network) forward(sent packet) {
	n.lock.Lock()
	defer n.lock.Unlock()
	to := n.owners[sent.destination().Addr()]
	if to == nil {
		return
	}
	if due, isPassed := to.accepts(sent); isPassed {
		enqueue(to.inbound, sent, due)
	}
}

func (n *network) receive(to *link, sent packet) {
	n.lock.Lock()
	defer n.lock.Unlock()
	if to.nat != nil && !sent.isIPv6 && !to.nat.translateInward(sent) {
		return
	}
	to.capture.record(sent.bytes)
	if _, err := to.device.Write(sent.bytes); err != nil {
		fmt.Fprintf(os.Stderr, "writing to %s: %v\n", to.device.Name(), err)
	}
}

// deliver hands on each packet when it is due. A queue keeps the order: a packet waits for those before it.
func (n *network) deliver(queue chan queued, handle func(packet)) {
	for next := range queue {
		time.Sleep(time.Until(next.due))
		handle(next.sent)
	}
}

func (n *network) apply(next command) error {
	n.lock.Lock()
	defer n.lock.Unlock()
	if next.Capture != nil {
		return n.record(*next.Capture)
	}
	if next.Client < 0 || next.Client >= len(n.clients) {
		return fmt.Errorf("there is no client %d", next.Client)
	}
	changed := n.clients[next.Client]
	if next.Condition != nil {
		changed.condition = *next.Condition
	}
	if next.Rebinds && changed.nat != nil {
		changed.nat.rebind()
	}
	return nil
}

// record starts recording in files, or ends it where no file is named.
func (n *network) record(files captureSet) error {
	paths := append([]string{files.Site}, files.Clients...)
	for i, item := range append([]*link{n.site}, n.clients...) {
		if err := item.capture.close(); err != nil {
			return err
		}
		item.capture = nil
		if i >= len(paths) || paths[i] == "" {
			continue
		}
		opened, err := openCapture(paths[i])
		if err != nil {
			return err
		}
		item.capture = opened
	}
	return nil
}
