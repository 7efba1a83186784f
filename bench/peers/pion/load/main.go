// The load of bench/relay.ts: browsers of calls as far as a relay sees them. They speak ICE, DTLS and SRTP, send what a
// video call sends, and count what arrives and can be decrypted. All share one socket, each with a loopback address of
// its own, so that the kernel takes their packets in batches and the load leaves the processor to the relay.
package main

import (
	"fmt"
	"sync"

	"meydan/bench/peers/pion/lines"
)

type load struct {
	network *network
	mutex   sync.Mutex
	clients map[int]*client
}

func main() {
	network, err := openNetwork()
	if err != nil {
		panic(err)
	}
	load := &load{network: network, clients: map[int]*client{}}
	go network.receive()
	lines.Serve(load.handle)
}

func (l *load) handle(request lines.Request) (any, error) {
	if request.Op == "run" {
		return l.run(request.Calls, request.Seconds)
	}
	client, err := l.client(request.Client)
	if err != nil {
		return nil, err
	}
	switch request.Op {
	case "offer":
		return lines.Description{SDP: client.describe("actpass")}, nil
	case "answer":
		err := client.connect(request.SDP)
		return lines.Description{SDP: client.describe("active")}, err
	case "accept":
		return struct{}{}, client.connect(request.SDP)
	case "connected":
		return struct{}{}, client.waitUntilConnected()
	}
	return nil, fmt.Errorf("no operation %q", request.Op)
}

// client returns the client of this number. Those of call n have the numbers 2n and 2n+1.
func (l *load) client(number int) (*client, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if known, ok := l.clients[number]; ok {
		return known, nil
	}
	made, err := newClient(l.network, number)
	if err == nil {
		l.clients[number] = made
		l.network.add(made)
	}
	return made, err
}
