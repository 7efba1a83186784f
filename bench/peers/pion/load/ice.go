package main

import (
	"net"
	"time"

	"github.com/pion/ice/v4"
	"github.com/pion/stun/v4"
)

const (
	checkInterval = 50 * time.Millisecond
	// RFC 7675, section 5.1, asks for a check every 4 to 6 s; browsers send one every 2.5 s.
	consentInterval = 2500 * time.Millisecond
	// RFC 8445, section 5.1.2.1, for a peer-reflexive candidate.
	checkPriority = 110<<24 | 65535<<8 | 255
)

// checkConnectivity nominates the only pair until it answers, and keeps the consent then.
func (c *client) checkConnectivity() {
	for {
		c.sendCheck()
		interval := checkInterval
		select {
		case <-c.checked:
			interval = consentInterval
		default:
		}
		time.Sleep(interval)
	}
}

func (c *client) sendCheck() {
	request, err := stun.Build(
		stun.BindingRequest, stun.TransactionID,
		stun.NewUsername(c.remote.fragment+":"+c.fragment),
		ice.PriorityAttr(checkPriority), ice.AttrControlling(c.number), ice.UseCandidate(),
		stun.NewShortTermIntegrity(c.remote.password), stun.Fingerprint,
	)
	if err == nil {
		c.network.send(c, request.Raw, c.remote.address)
	}
}

func (c *client) receiveSTUN(packet []byte, from *net.UDPAddr) {
	message := &stun.Message{Raw: append([]byte{}, packet...)}
	if message.Decode() != nil {
		return
	}
	switch message.Type {
	case stun.BindingSuccess:
		if stun.NewShortTermIntegrity(c.remote.password).Check(message) == nil {
			c.onceChecked.Do(func() { close(c.checked) })
		}
	case stun.BindingRequest:
		c.answerCheck(message, from)
	}
}

func (c *client) answerCheck(request *stun.Message, from *net.UDPAddr) {
	integrity := stun.NewShortTermIntegrity(c.password)
	if integrity.Check(request) != nil {
		return
	}
	response, err := stun.Build(request, stun.BindingSuccess,
		&stun.XORMappedAddress{IP: from.IP, Port: from.Port}, integrity, stun.Fingerprint)
	if err == nil {
		c.network.send(c, response.Raw, from.AddrPort())
	}
}
