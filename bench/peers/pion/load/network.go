package main

import (
	"net"
	"net/netip"
	"sync"
	"syscall"

	"golang.org/x/net/ipv4"
)

const (
	batchSize      = 64
	maxPacketBytes = 1500
	bufferBytes    = 4 << 20
	controlBytes   = 64
	// Where a cmsghdr with an in_pktinfo has the destination address, ip(7).
	destinationOffset = 24
)

// network is one UDP socket for all clients, told apart by their loopback addresses.
type network struct {
	socket  *net.UDPConn
	batches *ipv4.PacketConn
	port    int
	clients sync.Map // by [4]byte
}

func openNetwork() (*network, error) {
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{})
	if err != nil {
		return nil, err
	}
	if err := setBuffers(socket); err != nil {
		return nil, err
	}
	batches := ipv4.NewPacketConn(socket)
	if err := batches.SetControlMessage(ipv4.FlagDst, true); err != nil {
		return nil, err
	}
	port := socket.LocalAddr().(*net.UDPAddr).Port
	return &network{socket: socket, batches: batches, port: port}, nil
}

// setBuffers passes the system's limit where the process may, so that no packet is lost here.
func setBuffers(socket *net.UDPConn) error {
	if err := socket.SetReadBuffer(bufferBytes); err != nil {
		return err
	}
	if err := socket.SetWriteBuffer(bufferBytes); err != nil {
		return err
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	return raw.Control(func(descriptor uintptr) {
		_ = syscall.SetsockoptInt(int(descriptor), syscall.SOL_SOCKET, syscall.SO_RCVBUFFORCE, 8*bufferBytes)
	})
}

func (n *network) add(c *client) {
	n.clients.Store(c.address, c)
}

// receive hands each packet to the client that it is addressed to. Only this goroutine decrypts.
func (n *network) receive() {
	messages := make([]ipv4.Message, batchSize)
	for i := range messages {
		messages[i].Buffers = [][]byte{make([]byte, maxPacketBytes)}
		messages[i].OOB = make([]byte, controlBytes)
	}
	for {
		count, err := n.batches.ReadBatch(messages, 0)
		if err != nil {
			return
		}
		for _, message := range messages[:count] {
			if message.NN < destinationOffset+4 {
				continue
			}
			if c, ok := n.clients.Load([4]byte(message.OOB[destinationOffset:])); ok {
				c.(*client).receive(message.Buffers[0][:message.N], message.Addr.(*net.UDPAddr))
			}
		}
	}
}

// send sends one packet from the client's address.
func (n *network) send(from *client, packet []byte, to netip.AddrPort) {
	_, _, _ = n.socket.WriteMsgUDPAddrPort(packet, from.control, to)
}

// sendBatch sends all; a packet that cannot be sent counts as lost.
func (n *network) sendBatch(messages []ipv4.Message) {
	for len(messages) > 0 {
		count, err := n.batches.WriteBatch(messages, 0)
		if err != nil || count == 0 {
			count = 1
		}
		messages = messages[count:]
	}
}
