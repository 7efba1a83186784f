package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/dtls/v3"
	"github.com/pion/dtls/v3/pkg/crypto/selfsign"
	"github.com/pion/srtp/v3"
	"github.com/pion/transport/v5/packetio"
	"golang.org/x/net/ipv4"
)

const connectTimeout = 30 * time.Second

// client is one browser of a call.
type client struct {
	network  *network
	number   int
	address  [4]byte
	control  []byte
	fragment string
	password string
	remote   remote
	// checked is closed by the first answer to a connectivity check.
	checked     chan struct{}
	onceChecked sync.Once
	dtls        *packetio.Buffer
	// sendingKeys are used by the goroutine that sends, receivingKeys by the one that receives.
	sendingKeys   *srtp.Context
	receivingKeys atomic.Pointer[srtp.Context]
	result        chan error
}

// certificate is the same for all clients: to make one costs more than a handshake.
var certificate = sync.OnceValues(func() (tls.Certificate, error) { return selfsign.GenerateSelfSigned() })

func newClient(network *network, number int) (*client, error) {
	address := [4]byte{127, 64 + byte(number>>16), byte(number >> 8), byte(number)}
	made := &client{
		network: network, number: number, address: address,
		control:  (&ipv4.ControlMessage{Src: address[:]}).Marshal(),
		fragment: randomText(4), password: randomText(12),
		checked: make(chan struct{}), dtls: packetio.NewBuffer(), result: make(chan error, 1),
	}
	_, err := certificate()
	return made, err
}

func randomText(bytes int) string {
	random := make([]byte, bytes)
	_, _ = rand.Read(random)
	return hex.EncodeToString(random)
}

func fingerprint() string {
	own, _ := certificate()
	digest := sha256.Sum256(own.Certificate[0])
	bytes := make([]string, len(digest))
	for i, value := range digest {
		bytes[i] = fmt.Sprintf("%02X", value)
	}
	return strings.Join(bytes, ":")
}

// connect begins with the other's description; waitUntilConnected tells when it is done.
func (c *client) connect(description string) error {
	remote, err := parseRemote(description)
	if err != nil {
		return err
	}
	c.remote = remote
	go c.checkConnectivity()
	go func() { c.result <- c.exchangeKeys() }()
	return nil
}

func (c *client) waitUntilConnected() error {
	select {
	case err := <-c.result:
		return err
	case <-time.After(connectTimeout):
		return fmt.Errorf("client %d is not connected after %v", c.number, connectTimeout)
	}
}

func (c *client) exchangeKeys() error {
	<-c.checked
	connection, err := c.openDTLS()
	if err != nil {
		return err
	}
	deadline, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	if err := connection.HandshakeContext(deadline); err != nil {
		return fmt.Errorf("client %d: %w", c.number, err)
	}
	state, _ := connection.ConnectionState()
	config := srtp.Config{Profile: srtp.ProtectionProfileAeadAes128Gcm}
	if err := config.ExtractSessionKeysFromDTLS(&state, c.remote.isDTLSServer); err != nil {
		return err
	}
	keys := config.Keys
	if c.sendingKeys, err = srtp.CreateContext(keys.LocalMasterKey, keys.LocalMasterSalt, config.Profile); err != nil {
		return err
	}
	receiving, err := srtp.CreateContext(keys.RemoteMasterKey, keys.RemoteMasterSalt, config.Profile)
	c.receivingKeys.Store(receiving)
	return err
}

func (c *client) openDTLS() (*dtls.Conn, error) {
	own, _ := certificate()
	remote := net.UDPAddrFromAddrPort(c.remote.address)
	if c.remote.isDTLSServer {
		return dtls.ClientWithOptions(c, remote, dtls.WithCertificates(own), dtls.WithInsecureSkipVerify(true),
			dtls.WithSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM))
	}
	return dtls.ServerWithOptions(c, remote, dtls.WithCertificates(own), dtls.WithInsecureSkipVerify(true),
		dtls.WithClientAuth(dtls.RequireAnyClientCert), dtls.WithSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM))
}

// receive tells STUN, DTLS and SRTP apart by the first byte (RFC 7983).
func (c *client) receive(packet []byte, from *net.UDPAddr) {
	switch {
	case len(packet) < 2:
	case packet[0] < 4:
		c.receiveSTUN(packet, from)
	case packet[0] >= 20 && packet[0] < 64:
		_, _ = c.dtls.Write(packet, nil)
	case packet[0] >= 128 && packet[0] < 192:
		if current := currentRun.Load(); current != nil {
			current.receive(c, packet)
		}
	}
}

// The methods of net.PacketConn, for DTLS.

func (c *client) ReadFrom(packet []byte) (int, net.Addr, error) {
	count, _, err := c.dtls.Read(packet, nil)
	return count, net.UDPAddrFromAddrPort(c.remote.address), err
}

func (c *client) WriteTo(packet []byte, _ net.Addr) (int, error) {
	c.network.send(c, packet, c.remote.address)
	return len(packet), nil
}

func (c *client) Close() error                       { return c.dtls.Close() }
func (c *client) LocalAddr() net.Addr                { return net.UDPAddrFromAddrPort(c.localAddress()) }
func (c *client) SetDeadline(at time.Time) error     { return c.dtls.SetReadDeadline(at) }
func (c *client) SetReadDeadline(at time.Time) error { return c.dtls.SetReadDeadline(at) }
func (c *client) SetWriteDeadline(time.Time) error   { return nil }

func (c *client) localAddress() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4(c.address), uint16(c.network.port))
}
