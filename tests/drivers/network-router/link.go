package main

import (
	"math/rand/v2"
	"os"
	"slices"
	"time"
)

// maxQueued bounds the packets on their way in one direction.
const maxQueued = 20_000

// condition is what happens to the packets of a link, in both directions.
type condition struct {
	// Loss is the part of packets that are dropped, from 0 to 1.
	Loss float64 `json:"loss"`
	// DelayMs is how long each packet takes.
	DelayMs int `json:"delayMs"`
	// Blocked are 'udp', 'ipv6' and 'all': they are dropped.
	Blocked []string `json:"blocked"`
}

// link is the connection of one namespace with the others.
type link struct {
	device    *os.File
	condition condition
	// nat is nil where addresses are not translated.
	nat      *nat
	capture  *capture
	random   *rand.Rand
	outbound chan queued
	inbound  chan queued
}

// queued is a packet on its way.
type queued struct {
	sent packet
	due  time.Time
}

func newLink(device *os.File, translation *nat, seed uint64) *link {
	return &link{
		device:   device,
		nat:      translation,
		random:   rand.New(rand.NewPCG(seed, seed)),
		outbound: make(chan queued, maxQueued),
		inbound:  make(chan queued, maxQueued),
	}
}

// accepts decides whether a packet passes, and when it arrives.
func (l *link) accepts(sent packet) (time.Time, bool) {
	blocked := func(kind string) bool { return slices.Contains(l.condition.Blocked, kind) }
	isBlocked := blocked("all") || blocked("udp") && sent.protocol == protocolUDP || blocked("ipv6") && sent.isIPv6
	if isBlocked || l.random.Float64() < l.condition.Loss {
		return time.Time{}, false
	}
	return time.Now().Add(time.Duration(l.condition.DelayMs) * time.Millisecond), true
}

// enqueue drops a packet that finds the queue full.
func enqueue(queue chan queued, sent packet, due time.Time) {
	select {
	case queue <- queued{sent, due}:
	default:
	}
}
