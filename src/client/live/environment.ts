import { allowUnload } from '../unload-guard.ts'

/** Stops what was asked for; calling it again, or too late, does nothing. */
export type Cancel = () => void

/** One WebSocket, seen narrowly. */
export interface SocketTransport {
  send(bytes: Uint8Array<ArrayBuffer>): void
  close(): void
}

export interface SocketTransportListener {
  onOpen(): void
  onBytes(bytes: Uint8Array): void
  /** @param code of the close frame; 1006 when there was none */
  onClose(code: number): void
}

/** Web storage that never throws: where it is blocked or full, what is written lives as long as the page. */
export interface SafeStorage {
  get(key: string): string | null
  /** null removes it. */
  set(key: string, value: string | null): void
  /** Removes all that is written. */
  clear(): void
}

export type Theme = 'dark' | 'light'

/** All that the live side asks of a browser, so that its tests need none and can move the clock by hand. */
export interface Environment {
  openTransport(listener: SocketTransportListener): SocketTransport
  fetch(path: string, init: RequestInit): Promise<Response>
  /** Runs once, `ms` milliseconds from now. */
  setTimer(ms: number, run: () => void): Cancel
  /** Epoch milliseconds of this machine, which may be wrong: for durations, never for ordering. */
  now(): number
  /** 0 up to 1. */
  random(): number
  uuid(): string
  /** Kept by this tab, over reloads. */
  tabStorage: SafeStorage
  /** Kept by this browser, shared by its tabs. */
  browserStorage: SafeStorage
  isMobile(): boolean
  /** The theme that the server rendered, from its cookie. */
  renderedTheme(): Theme
  /** The path of the page that is shown. */
  currentPath(): string
  navigateTo(path: string): void
  /** The network came back, or the tab came to the front. */
  onWake(run: () => void): void
  /** The page is about to go. */
  onPageHide(run: () => void): void
  /** Another tab wrote to `browser`; the key is null when it wrote to all. */
  onStorageChange(run: (key: string | null) => void): void
  /** Something that our own code or server did wrong. */
  reportError(what: string, detail?: unknown): void
}

export const browserEnvironment: Environment = {
  openTransport: openWebSocketTransport,
  fetch: (path, init) => fetch(path, init),
  setTimer(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: makeUuid,
  tabStorage: createSafeStorage(() => sessionStorage),
  browserStorage: createSafeStorage(() => localStorage),
  isMobile: () => /Mobi|Android/i.test(navigator.userAgent),
  renderedTheme: () => (document.documentElement.dataset.theme === 'light' ? 'light' : 'dark'),
  currentPath: () => location.pathname,
  navigateTo(path) {
    allowUnload()
    location.assign(path)
  },
  onWake(run) {
    window.addEventListener('online', run)
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') run()
    })
  },
  onPageHide: (run) => window.addEventListener('pagehide', run),
  onStorageChange: (run) => window.addEventListener('storage', ({ key }) => run(key)),
  reportError: (what, detail) => console.error(what, detail),
}

function openWebSocketTransport({ onOpen, onBytes, onClose }: SocketTransportListener): SocketTransport {
  const socket = new WebSocket(new URL('/live', location.href.replace(/^http/, 'ws')))
  socket.binaryType = 'arraybuffer'
  socket.onopen = onOpen
  socket.onmessage = ({ data }) => onBytes(new Uint8Array(data))
  socket.onclose = ({ code }) => onClose(code)
  return { send: (bytes) => socket.send(bytes), close: () => socket.close() }
}

/** A random UUID (RFC 9562, version 4). `crypto.randomUUID` is missing where a site in the local network has no TLS. */
function makeUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Reaching for the storage itself may throw, so it is reached for at each use. */
function createSafeStorage(storage: () => Storage): SafeStorage {
  /** What could not be written: storage is blocked or full. */
  const unwritten = new Map<string, string | null>()
  return {
    get(key) {
      const kept = unwritten.get(key)
      if (kept !== undefined) return kept
      try {
        return storage().getItem(key)
      } catch {
        return null
      }
    },
    set(key, value) {
      unwritten.delete(key)
      try {
        if (value === null) storage().removeItem(key)
        else storage().setItem(key, value)
      } catch {
        unwritten.set(key, value)
      }
    },
    clear() {
      unwritten.clear()
      try {
        storage().clear()
      } catch {
        // What cannot be reached holds nothing.
      }
    },
  }
}
