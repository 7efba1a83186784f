import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** A page that calls another one without a relay, each the other's only peer. */
export interface DirectCallSite {
  url: string
  stop(): Promise<void>
}

/** Serves the page, and passes what one page sends to the other. */
export async function startDirectCallSite(): Promise<DirectCallSite> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><button>Kabul et</button><video id=self autoplay muted></video><video id=other autoplay></video><script>(${callDirectly})()</script>`,
    )
  })
  const webSockets = new WebSocketServer({ server, perMessageDeflate: false })
  webSockets.on('connection', (socket) => {
    socket.on('message', (data) => {
      for (const other of webSockets.clients) if (other !== socket) other.send(String(data))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server that listens has an AddressInfo, not a pipe's name.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      for (const client of webSockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * The page's script. The caller has its devices and has sent its offer and candidates while it rings; the other side opens
 * its devices when its button is clicked, answers, and both send candidates as they come.
 */
function callDirectly(): void {
  const socket = new WebSocket(location.href.replace('http', 'ws'))
  const connection = new RTCPeerConnection({ bundlePolicy: 'max-bundle' })
  const early: RTCIceCandidateInit[] = []
  let offer: RTCSessionDescriptionInit | null = null
  const send = (message: object): void => socket.send(JSON.stringify(message))
  const openDevices = async (): Promise<void> => {
    const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true }
    const video = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } }
    const stream = await navigator.mediaDevices.getUserMedia({ audio, video })
    for (const track of stream.getTracks()) connection.addTrack(track, stream)
    show('self', stream)
  }
  const show = (id: string, stream: MediaStream | undefined): void => {
    const video = document.getElementById(id)
    if (video instanceof HTMLVideoElement && stream) video.srcObject = stream
  }
  connection.ontrack = ({ streams }) => show('other', streams[0])
  const addEarlyCandidates = async (): Promise<void> => {
    for (const candidate of early.splice(0)) await connection.addIceCandidate(candidate)
  }
  connection.onicecandidate = ({ candidate }) => candidate && send({ candidate })
  socket.onmessage = async ({ data }) => {
    const message = JSON.parse(data)
    if (message.offer) {
      offer = message.offer
      document.body.dataset.phase = 'incoming'
    } else if (message.answer) {
      await connection.setRemoteDescription(message.answer)
      await addEarlyCandidates()
    } else {
      early.push(message.candidate)
      if (connection.remoteDescription) await addEarlyCandidates()
    }
  }
  document.querySelector('button')?.addEventListener('click', async () => {
    await openDevices()
    if (offer) {
      await connection.setRemoteDescription(offer)
      await connection.setLocalDescription()
      send({ answer: connection.localDescription })
      await addEarlyCandidates()
    } else {
      await connection.setLocalDescription()
      send({ offer: connection.localDescription })
    }
  })
}
