package main

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
)

// remote is what a client needs of the other's description.
type remote struct {
	fragment     string
	password     string
	address      netip.AddrPort
	isDTLSServer bool
}

var (
	fragmentLine  = regexp.MustCompile(`(?m)^a=ice-ufrag:(\S+)`)
	passwordLine  = regexp.MustCompile(`(?m)^a=ice-pwd:(\S+)`)
	candidateLine = regexp.MustCompile(`(?mi)^a=candidate:\S+ 1 udp \d+ (127\.\S+) (\d+) typ host`)
	setupLine     = regexp.MustCompile(`(?m)^a=setup:(\S+)`)
)

func parseRemote(description string) (remote, error) {
	first := func(pattern *regexp.Regexp) []string { return pattern.FindStringSubmatch(description) }
	fragment, password, candidate, setup := first(fragmentLine), first(passwordLine), first(candidateLine), first(setupLine)
	if fragment == nil || password == nil || candidate == nil || setup == nil {
		return remote{}, errors.New("a description without credentials, a loopback candidate or a setup role")
	}
	address, err := netip.ParseAddrPort(candidate[1] + ":" + candidate[2])
	// An offer leaves the choice to this client, which takes the active role then.
	return remote{fragment[1], password[1], address, setup[1] != "active"}, err
}

// describe makes an offer or an answer of an audio and a video section.
func (c *client) describe(setup string) string {
	lines := []string{
		"v=0", fmt.Sprintf("o=- %d 2 IN IP4 127.0.0.1", 1_000_000+c.number), "s=-", "t=0 0",
		"a=group:BUNDLE 0 1", "a=msid-semantic: WMS call",
	}
	lines = append(lines, c.describeSection("audio", 0, audioPayloadType, "opus/48000/2", setup)...)
	lines = append(lines, c.describeSection("video", 1, videoPayloadType, "VP8/90000", setup)...)
	return strings.Join(lines, "\r\n") + "\r\n"
}

func (c *client) describeSection(kind string, mid int, payloadType uint8, codec string, setup string) []string {
	source := c.source(payloadType)
	local := c.localAddress()
	return []string{
		fmt.Sprintf("m=%s %d UDP/TLS/RTP/SAVPF %d", kind, local.Port(), payloadType),
		fmt.Sprintf("c=IN IP4 %s", local.Addr()),
		fmt.Sprintf("a=candidate:1 1 udp 2130706431 %s %d typ host", local.Addr(), local.Port()),
		"a=ice-ufrag:" + c.fragment, "a=ice-pwd:" + c.password,
		"a=fingerprint:sha-256 " + fingerprint(), "a=setup:" + setup,
		fmt.Sprintf("a=mid:%d", mid), "a=sendrecv", "a=rtcp-mux", "a=rtcp-rsize",
		fmt.Sprintf("a=rtpmap:%d %s", payloadType, codec),
		fmt.Sprintf("a=msid:call %s%d", kind, c.number),
		fmt.Sprintf("a=ssrc:%d cname:load", source),
		fmt.Sprintf("a=ssrc:%d msid:call %s%d", source, kind, c.number),
	}
}

// source is the SSRC of a client's audio or video.
func (c *client) source(payloadType uint8) uint32 {
	return 1<<28 | uint32(c.number)<<8 | uint32(payloadType)
}
