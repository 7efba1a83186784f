import type { Theme } from '../../../shared/settings/theme.ts'
import { allowUnload } from '../navigation/unload-guard.ts'

/** Cancels the timer; a later or second call does nothing. */
export type Cancel = () => void

/** The part of a WebSocket that the client uses. */
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

/** Web storage that never throws: where it is blocked or full, written values last as long as the page. */
export interface SafeStorage {
  get(key: string): string | null
  /** null removes it. */
  set(key: string, value: string | null): void
  /** Removes all keys. */
  clear(): void
}

/** Everything that the live client uses of a browser; tests replace it and move the clock by hand. */
export interface Environment {
  openTransport(listener: SocketTransportListener): SocketTransport
  fetch(path: string, init: RequestInit): Promise<Response>
  /** Runs once, `ms` milliseconds from now. */
  setTimer(ms: number, run: () => void): Cancel
  /** Runs in a task of its own, after all promise callbacks of this one; a hidden tab does not delay it. */
  enqueueTask(run: () => void): void
  /** Epoch milliseconds of this machine, which may be wrong: for durations, never for ordering. */
  now(): number
  /** 0 up to 1. */
  random(): number
  uuid(): string
  /** Storage of this tab; survives reloads. */
  tabStorage: SafeStorage
  /** Storage of this browser, shared by its tabs. */
  browserStorage: SafeStorage
  isMobile(): boolean
  /** The theme that the server rendered, from its cookie. */
  renderedTheme(): Theme
  /** The path of the page that is shown. */
  currentPath(): string
  navigateTo(path: string): void
  /** Calls `run` when the network returns or the tab becomes visible. */
  onWake(run: () => void): void
  /** Calls `run` when the network is lost. */
  onOffline(run: () => void): void
  /** Calls `run` before the page unloads. */
  onPageHide(run: () => void): void
  /** Calls `run` when another tab writes to `browserStorage`; the key is null when it cleared all. */
  onStorageChange(run: (key: string | null) => void): void
  /** Reports a bug of our own code or server. */
  reportError(what: string, detail?: unknown): void
}

export const browserEnvironment: Environment = {
  openTransport: openWebSocketTransport,
  fetch: (path, init) => fetch(path, init),
  setTimer(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  enqueueTask(run) {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      run()
    }
    port2.postMessage(null)
  },
  now: () => Date.now(),
  random: () => Math.random(),
  uuid: makeUuid,
  tabStorage: createSafeStorage(() => sessionStorage),
  browserStorage: createSafeStorage(() => localStorage),
  isMobile: () => /Mobi|Android/i.test(navigator.userAgent),
  // The server renders one of them.
  renderedTheme: () => document.documentElement.dataset.theme as Theme,
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
  onOffline: (run) => window.addEventListener('offline', run),
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

/** Reading `window.sessionStorage` may itself throw, so each use calls `storage`. */
function createSafeStorage(storage: () => Storage): SafeStorage {
  /** Values that could not be written because storage is blocked or full. */
  const unwritten = new Map<string, string | null>()
  return {
    get(key) {
      const fallback = unwritten.get(key)
      if (fallback !== undefined) return fallback
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
        // Blocked storage holds nothing.
      }
    },
  }
}
