package main

import (
	"encoding/binary"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"golang.org/x/net/ipv4"
)

// One direction of a video call of 1.7 Mbit/s: 30 frames a second of 6 packets of 1,180 bytes, each sent within 6 ms as
// browsers pace them, and 50 packets of opus of 100 bytes.
const (
	videoPayloadType = 96
	audioPayloadType = 111
	videoBytes       = 1180
	audioBytes       = 100
	framePackets     = 6
	frameInterval    = time.Second / 30
	audioInterval    = 20 * time.Millisecond
	tickInterval     = time.Millisecond

	rtpHeaderBytes = 12
	tagBytes       = 16
	// What is sent before is not in the delays: the relay compiles and its buffers grow.
	settlingTime = 300 * time.Millisecond
	// After the last packet, for those on the way.
	drainTime = 300 * time.Millisecond

	delayBucket  = 10 * time.Microsecond
	delayBuckets = 100_000
)

// run is one measurement. The clients of the first calls send, for a number of seconds.
type run struct {
	id        uint32
	startedAt time.Time
	sent      uint64
	received  atomic.Uint64
	// misrouted is what came from another call; undecrypted what could not be opened.
	misrouted   atomic.Uint64
	undecrypted atomic.Uint64
	// delays counts packets by their time from sending to decrypting.
	delays []atomic.Uint32
	// ticks are the times between two turns of the sender: how punctual this generator was.
	ticks     []time.Duration
	plaintext []byte
}

// result is what a run tells. Times are in milliseconds.
type result struct {
	Sent        uint64  `json:"sent"`
	Received    uint64  `json:"received"`
	Misrouted   uint64  `json:"misrouted"`
	Undecrypted uint64  `json:"undecrypted"`
	Seconds     float64 `json:"seconds"`
	P50Ms       float64 `json:"p50Ms"`
	P99Ms       float64 `json:"p99Ms"`
	MaxTickMs   float64 `json:"maxTickMs"`
}

// sender is the outgoing media of a client.
type sender struct {
	*client
	to             *net.UDPAddr
	sequence       map[uint8]uint16
	nextFrame      time.Duration
	nextAudio      time.Duration
	pendingPackets int
}

var (
	currentRun atomic.Pointer[run]
	runs       atomic.Uint32
	// outgoing continues from run to run: SRTP takes no sequence number twice.
	outgoing = map[int]*sender{}
)

func (l *load) run(calls int, seconds float64) (any, error) {
	senders := make([]*sender, 0, 2*calls)
	for number := range 2 * calls {
		sender, err := l.sender(number)
		if err != nil {
			return nil, err
		}
		// Spread over the intervals, the same in each run.
		sender.nextFrame = frameInterval * time.Duration(number*37%100) / 100
		sender.nextAudio = audioInterval * time.Duration(number*61%100) / 100
		sender.pendingPackets = 0
		senders = append(senders, sender)
	}
	current := &run{
		id: runs.Add(1), startedAt: time.Now(),
		delays: make([]atomic.Uint32, delayBuckets), plaintext: make([]byte, videoBytes),
	}
	currentRun.Store(current)
	current.send(l.network, senders, time.Duration(seconds*float64(time.Second)))
	elapsed := time.Since(current.startedAt)
	time.Sleep(drainTime)
	currentRun.Store(nil)
	return current.result(elapsed), nil
}

func (l *load) sender(number int) (*sender, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if known, ok := outgoing[number]; ok {
		return known, nil
	}
	c, ok := l.clients[number]
	if !ok || c.receivingKeys.Load() == nil {
		return nil, fmt.Errorf("client %d is not connected", number)
	}
	made := &sender{client: c, to: net.UDPAddrFromAddrPort(c.remote.address), sequence: map[uint8]uint16{}}
	outgoing[number] = made
	return made, nil
}

// send turns once a millisecond. After a late turn it sends what is due, one packet of each frame for each millisecond.
func (r *run) send(network *network, senders []*sender, duration time.Duration) {
	batch := newBatch()
	before := time.Duration(0)
	for now := time.Duration(0); now < duration; now = time.Since(r.startedAt) {
		turns := max(1, int((now-before)/tickInterval))
		r.ticks = append(r.ticks, now-before)
		before = now
		for _, sender := range senders {
			r.sendDue(network, batch, sender, now, turns)
		}
		batch.flush(network)
		time.Sleep(tickInterval - (time.Since(r.startedAt) - now))
	}
}

func (r *run) sendDue(network *network, batch *batch, sender *sender, now time.Duration, turns int) {
	for now >= sender.nextFrame {
		sender.nextFrame += frameInterval
		sender.pendingPackets += framePackets
	}
	for range min(turns, sender.pendingPackets) {
		sender.pendingPackets--
		r.add(network, batch, sender, videoPayloadType, videoBytes)
	}
	for now >= sender.nextAudio {
		sender.nextAudio += audioInterval
		r.add(network, batch, sender, audioPayloadType, audioBytes)
	}
}

// add encrypts a packet that tells its sender and its time. Bytes include the header and the tag.
func (r *run) add(network *network, batch *batch, sender *sender, payloadType uint8, bytes int) {
	packet := r.plaintext[:bytes-tagBytes]
	packet[0], packet[1] = 2<<6, payloadType
	binary.BigEndian.PutUint16(packet[2:], sender.sequence[payloadType])
	binary.BigEndian.PutUint32(packet[4:], uint32(time.Since(r.startedAt).Milliseconds()*90))
	binary.BigEndian.PutUint32(packet[8:], sender.source(payloadType))
	binary.BigEndian.PutUint32(packet[rtpHeaderBytes:], r.id)
	binary.BigEndian.PutUint32(packet[rtpHeaderBytes+4:], uint32(sender.number))
	binary.BigEndian.PutUint64(packet[rtpHeaderBytes+8:], uint64(time.Since(r.startedAt)))
	sender.sequence[payloadType]++
	message := batch.next(network)
	encrypted, err := sender.sendingKeys.EncryptRTP(message.Buffers[0][:0:maxPacketBytes], packet, nil)
	if err != nil {
		panic(err)
	}
	message.Buffers[0], message.OOB, message.Addr = encrypted, sender.control, sender.to
	r.sent++
}

// receive decrypts a packet and counts it, when it is of this run. RTCP of the relay is left aside (RFC 5761, section 4).
func (r *run) receive(c *client, packet []byte) {
	keys := c.receivingKeys.Load()
	if keys == nil || packet[1] >= 192 && packet[1] <= 223 {
		return
	}
	plain, err := keys.DecryptRTP(packet[:0], packet, nil)
	if err != nil || len(plain) < rtpHeaderBytes+16 {
		r.undecrypted.Add(1)
		return
	}
	payload := plain[rtpHeaderBytes:]
	if binary.BigEndian.Uint32(payload) != r.id {
		return
	}
	if int(binary.BigEndian.Uint32(payload[4:])) != c.number^1 {
		r.misrouted.Add(1)
		return
	}
	r.received.Add(1)
	sentAt := time.Duration(binary.BigEndian.Uint64(payload[8:]))
	if sentAt > settlingTime {
		delay := time.Since(r.startedAt) - sentAt
		r.delays[min(int(delay/delayBucket), delayBuckets-1)].Add(1)
	}
}

func (r *run) result(elapsed time.Duration) result {
	late := time.Duration(0)
	for _, tick := range r.ticks {
		late = max(late, tick)
	}
	return result{
		Sent: r.sent, Received: r.received.Load(),
		Misrouted: r.misrouted.Load(), Undecrypted: r.undecrypted.Load(),
		Seconds: elapsed.Seconds(), P50Ms: r.delay(0.5), P99Ms: r.delay(0.99),
		MaxTickMs: late.Seconds() * 1000,
	}
}

// delay is a quantile of the delays in milliseconds.
func (r *run) delay(quantile float64) float64 {
	total := uint64(0)
	for i := range r.delays {
		total += uint64(r.delays[i].Load())
	}
	seen := uint64(0)
	for i := range r.delays {
		seen += uint64(r.delays[i].Load())
		if float64(seen) >= quantile*float64(total) {
			return (time.Duration(i+1) * delayBucket).Seconds() * 1000
		}
	}
	return 0
}

// batch collects packets for one system call.
type batch struct {
	messages []ipv4.Message
	count    int
}

func newBatch() *batch {
	made := &batch{messages: make([]ipv4.Message, batchSize)}
	for i := range made.messages {
		made.messages[i].Buffers = [][]byte{make([]byte, 0, maxPacketBytes)}
	}
	return made
}

func (b *batch) next(network *network) *ipv4.Message {
	if b.count == batchSize {
		b.flush(network)
	}
	b.count++
	return &b.messages[b.count-1]
}

func (b *batch) flush(network *network) {
	network.sendBatch(b.messages[:b.count])
	b.count = 0
}
