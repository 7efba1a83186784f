// A relay for calls of two in Pion, without interceptors: the peer of bench/relay.ts. Each side has a PeerConnection;
// the RTP of one goes out through the other.
package main

import (
	"net"

	"github.com/pion/dtls/v3"
	"github.com/pion/interceptor"
	"github.com/pion/webrtc/v4"

	"meydan/bench/peers/pion/lines"
)

const maxPacketBytes = 1500

var kinds = map[string]webrtc.RTPCodecParameters{
	"audio": {
		RTPCodecCapability: webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2},
		PayloadType:        111,
	},
	"video": {
		RTPCodecCapability: webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeVP8, ClockRate: 90000},
		PayloadType:        96,
	},
}

// tracks has the media of each side by its kind.
type tracks [2]map[string]*webrtc.TrackLocalStaticRTP

type relay struct {
	api   *webrtc.API
	calls map[int]tracks
}

func main() {
	relay := &relay{api: newAPI(), calls: map[int]tracks{}}
	lines.Serve(func(request lines.Request) (any, error) {
		return relay.join(request)
	})
}

// newAPI makes the cheapest configuration: ICE-lite on loopback, one cipher suite, no interceptors.
func newAPI() *webrtc.API {
	media := &webrtc.MediaEngine{}
	for kind, codec := range kinds {
		must(media.RegisterCodec(codec, webrtc.NewRTPCodecType(kind)))
	}
	settings := webrtc.SettingEngine{}
	settings.SetLite(true)
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetIPFilter(func(ip net.IP) bool { return ip.Equal(net.IPv4(127, 0, 0, 1)) })
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	settings.SetSRTPProtectionProfiles(dtls.SRTP_AEAD_AES_128_GCM)
	return webrtc.NewAPI(
		webrtc.WithMediaEngine(media),
		webrtc.WithInterceptorRegistry(&interceptor.Registry{}),
		webrtc.WithSettingEngine(settings),
	)
}

// join answers the offer of one side. The calls are joined one after another.
func (r *relay) join(request lines.Request) (any, error) {
	connection, err := r.api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return nil, err
	}
	own, other := r.tracksOf(request.Call)[request.Side], r.tracksOf(request.Call)[1-request.Side]
	for _, track := range other {
		sender, err := connection.AddTrack(track)
		if err != nil {
			return nil, err
		}
		go discardFeedback(sender)
	}
	connection.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		forward(track, own[track.Kind().String()])
	})
	return answer(connection, request.SDP)
}

func (r *relay) tracksOf(call int) tracks {
	if made, ok := r.calls[call]; ok {
		return made
	}
	made := tracks{}
	for side := range made {
		made[side] = map[string]*webrtc.TrackLocalStaticRTP{}
		for kind, codec := range kinds {
			track, err := webrtc.NewTrackLocalStaticRTP(codec.RTPCodecCapability, kind, "call")
			must(err)
			made[side][kind] = track
		}
	}
	r.calls[call] = made
	return made
}

func answer(connection *webrtc.PeerConnection, offer string) (any, error) {
	err := connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer})
	if err != nil {
		return nil, err
	}
	description, err := connection.CreateAnswer(nil)
	if err != nil {
		return nil, err
	}
	gathered := webrtc.GatheringCompletePromise(connection)
	if err := connection.SetLocalDescription(description); err != nil {
		return nil, err
	}
	<-gathered
	return lines.Description{SDP: connection.LocalDescription().SDP}, nil
}

// forward copies packets until the track ends, as in Pion's examples of forwarding.
func forward(from *webrtc.TrackRemote, to *webrtc.TrackLocalStaticRTP) {
	packet := make([]byte, maxPacketBytes)
	for {
		count, _, err := from.Read(packet)
		if err != nil {
			return
		}
		if _, err := to.Write(packet[:count]); err != nil {
			return
		}
	}
}

func discardFeedback(sender *webrtc.RTPSender) {
	feedback := make([]byte, maxPacketBytes)
	for {
		if _, _, err := sender.Read(feedback); err != nil {
			return
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
