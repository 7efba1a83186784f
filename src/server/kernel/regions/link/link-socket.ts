import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { Config } from '../../config.ts'
import { addressGroup, clientAddress } from '../../http/client-address.ts'
import type { UpgradeListener } from '../../live/websocket-route.ts'
import { MAX_HANDSHAKE_BYTES } from './handshake.ts'
import { LinkClose, type LinkSocket } from './link-connection.ts'
import { MAX_FRAME_BYTES } from './link-messages.ts'
import type { LinkServer } from './link-server.ts'

const LINK_PATH = '/link'
const WEBSOCKET_OPTIONS = {
  perMessageDeflate: false,
  maxPayload: MAX_FRAME_BYTES,
  ...{ maxFragments: 16, maxBufferedChunks: 4096 }, // newer than ws's type declarations
}
/** WebSocket header and mask of the one frame that an unauthenticated peer may send. */
const FRAME_HEADER_BYTES = 32
/** After a close the socket is terminated unless the other end answers within this. */
const CLOSE_TIMEOUT_MS = 1_000
/** Limit of the WebSocket upgrade. */
const CONNECT_TIMEOUT_MS = 4_000
const EMPTY_FRAME = new Uint8Array()

/** Passes upgrades of `GET /link` to the link server, and those of other paths to `otherUpgrade`. */
export function handleLinkUpgrades(
  linkServer: LinkServer,
  config: Pick<Config, 'trustedProxies'>,
  otherUpgrade: UpgradeListener,
): UpgradeListener {
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, ...WEBSOCKET_OPTIONS })
  return (request, socket, head) => {
    if (request.url?.split('?')[0] !== LINK_PATH) return otherUpgrade(request, socket, head)
    const address = addressGroup(clientAddress(config, request))
    sockets.handleUpgrade(request, socket, head, (ws) => linkServer.accept(unauthenticatedSocket(ws, socket), address))
  }
}

/** Opens a socket to the site at this URL (http or https). When that fails, the close listener is called. */
export function openLinkWebSocket(url: string): LinkSocket {
  try {
    const to = new URL(LINK_PATH, url.replace(/^http/, 'ws'))
    return wrapWebSocket(new WebSocket(to, { handshakeTimeout: CONNECT_TIMEOUT_MS, ...WEBSOCKET_OPTIONS }), () => {})
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error // not a URL, or not one for ws
    return closedSocket()
  }
}

/** Counts the bytes before authentication as they arrive: ws would buffer a whole frame of the largest size first. */
function unauthenticatedSocket(ws: WebSocket, socket: Duplex): LinkSocket {
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_HANDSHAKE_BYTES + FRAME_HEADER_BYTES) socket.destroy()
  }
  socket.on('data', count)
  return wrapWebSocket(ws, () => void socket.off('data', count))
}

function wrapWebSocket(ws: WebSocket, markAuthenticated: () => void): LinkSocket {
  let frameListener: (frame: Uint8Array) => void = () => {}
  let closeListener: (code: number) => void = () => {}
  // Text is as invalid as an empty frame.
  ws.on('message', (data: Buffer, isBinary) => frameListener(isBinary ? data : EMPTY_FRAME)) // a Buffer by ws's default
  ws.on('error', () => ws.terminate()) // its close event follows
  ws.on('close', (code) => closeListener(code))
  return {
    send(frame) {
      if (ws.readyState === ws.OPEN) ws.send(frame)
    },
    close(code) {
      ws.close(code)
      setTimeout(() => ws.terminate(), CLOSE_TIMEOUT_MS).unref()
    },
    onFrame(listener) {
      frameListener = listener
    },
    onClose(listener) {
      closeListener = listener
    },
    bufferedBytes: () => ws.bufferedAmount,
    setPaused: (isPaused) => (isPaused ? ws.pause() : ws.resume()),
    markAuthenticated,
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
