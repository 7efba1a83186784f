import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { addressGroup, clientAddress } from '../../http/client-address.ts'
import type { UpgradeListener } from '../../live/websocket-route.ts'
import type { Settings } from '../../settings.ts'
import { MAX_HANDSHAKE_BYTES } from './handshake.ts'
import { LinkClose, type LinkSocket } from './link-connection.ts'
import { MAX_FRAME_BYTES } from './link-messages.ts'
import type { LinkAcceptor } from './link-server.ts'

const LINK_PATH = '/link'
const WEBSOCKET_OPTIONS = {
  perMessageDeflate: false,
  maxPayload: MAX_FRAME_BYTES,
  ...{ maxFragments: 16, maxBufferedChunks: 4096 }, // newer than ws's type declarations
}
/** What a frame's head and mask add to the one frame that a stranger may send. */
const FRAME_HEADER_BYTES = 32
/** How long the other end has to answer a close before the socket is cut. */
const CLOSE_TIMEOUT_MS = 1_000
/** How long a site may take to answer the upgrade. */
const CONNECT_TIMEOUT_MS = 4_000
const EMPTY_FRAME = new Uint8Array()

/** Takes the upgrades of `GET /link` to the hub, and hands those of other paths on. */
export function handleLinkUpgrades(
  hub: LinkAcceptor,
  settings: Pick<Settings, 'trustedProxies'>,
  elsewhere: UpgradeListener,
): UpgradeListener {
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, ...WEBSOCKET_OPTIONS })
  return (request, socket, head) => {
    if (request.url?.split('?')[0] !== LINK_PATH) return elsewhere(request, socket, head)
    const address = addressGroup(clientAddress(settings, request))
    sockets.handleUpgrade(request, socket, head, (ws) => hub.accept(unauthenticatedSocket(ws, socket), address))
  }
}

/** Opens a link to the site at this URL (http or https). What cannot be opened closes, with the listener told. */
export function openLinkWebSocket(url: string): LinkSocket {
  try {
    const to = new URL(LINK_PATH, url.replace(/^http/, 'ws'))
    return wrapWebSocket(new WebSocket(to, { handshakeTimeout: CONNECT_TIMEOUT_MS, ...WEBSOCKET_OPTIONS }), () => {})
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error // no URL, or not one of ws
    return closedSocket()
  }
}

/** Counts what comes before the proof as it comes, since ws would gather a whole frame of the largest size first. */
function unauthenticatedSocket(ws: WebSocket, socket: Duplex): LinkSocket {
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_HANDSHAKE_BYTES + FRAME_HEADER_BYTES) socket.destroy()
  }
  socket.on('data', count)
  return wrapWebSocket(ws, () => void socket.off('data', count))
}

function wrapWebSocket(ws: WebSocket, trust: () => void): LinkSocket {
  let hears: (frame: Uint8Array) => void = () => {}
  let ended: (code: number) => void = () => {}
  // Text is as little of a frame as nothing is.
  ws.on('message', (data: Buffer, isBinary) => hears(isBinary ? data : EMPTY_FRAME)) // a Buffer by ws's default
  ws.on('error', () => ws.terminate()) // its close event follows
  ws.on('close', (code) => ended(code))
  return {
    send(frame) {
      if (ws.readyState === ws.OPEN) ws.send(frame)
    },
    close(code) {
      ws.close(code)
      setTimeout(() => ws.terminate(), CLOSE_TIMEOUT_MS).unref()
    },
    onFrame(listener) {
      hears = listener
    },
    onClose(listener) {
      ended = listener
    },
    bufferedBytes: () => ws.bufferedAmount,
    setPaused: (held) => (held ? ws.pause() : ws.resume()),
    markAuthenticated: trust,
  }
}

function closedSocket(): LinkSocket {
  return {
    send: () => {},
    close: () => {},
    onFrame: () => {},
    onClose: (listener) => void setImmediate(() => listener(LinkClose.authenticationFailed)),
    bufferedBytes: () => 0,
    setPaused: () => {},
    markAuthenticated: () => {},
  }
}
