import WebSocket from 'ws'

/*
 * A client written from docs/protocol.md alone: it imports nothing of the project and brings its own MessagePack, so
 * that what it cannot do, a client in another language could not do either.
 */

type StringMap = Record<string, unknown>
export type ProtocolValue = [kind: number, ...rest: unknown[]]

/** The reply to one request: `[2, id, answer]` or `[3, id, refusal]`. */
export interface ProtocolReply {
  answer?: StringMap
  refusal?: StringMap
}

/** Enters over HTTP as "Entering" says. Throws when it is refused. */
export async function loginAsGuest(origin: string, username: string): Promise<{ token: string; user: StringMap }> {
  const response = await fetch(`${origin}/api/users/guest-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ username, gender: 'female', lastLoginPlatform: 'web' }),
  })
  const answer = (await response.json()) as { success: boolean; token: string; user: StringMap } // as docs/protocol.md has it
  if (!answer.success) throw new Error(`${username} may not enter: ${JSON.stringify(answer)}`)
  return answer
}

export class ProtocolClient {
  /** Every value received, in order. */
  readonly received: ProtocolValue[] = []
  /** How many values each frame brought. */
  readonly frames: number[] = []
  /** The highest cursor seen or given. */
  cursor = 0
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  private readonly socket: WebSocket
  private readonly waiting = new Set<() => void>()
  private lastId = 0
  private isClosed = false

  private constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('message', (frame: Buffer, isBinary) => {
      if (!isBinary) throw new Error('binary frames only')
      const values = decodeMessagePack(frame)
      this.frames.push(values.length)
      for (const value of values) this.onValue(value as ProtocolValue) // every value is an array that begins with its kind
    })
    socket.on('error', () => {}) // its close event follows
    void this.closed.then(() => {
      this.isClosed = true
      this.checkWaiters()
    })
  }

  /** Opens a connection. Rejects with `Unexpected server response: 403` where the server does not know the Origin. */
  static open(site: string, origin: string | undefined = site): Promise<ProtocolClient> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${site.replace('http', 'ws')}/live`, { ...(origin ? { origin } : {}) })
      const client = new ProtocolClient(socket)
      socket.once('open', () => resolve(client))
      socket.once('error', reject)
    })
  }

  hello(token: string, more: StringMap = {}): Promise<ProtocolReply> {
    return this.request('hello', { protocol: 1, token, browserId: 'a client of its own', platform: 'web', ...more })
  }

  async request(name: string, payload: StringMap | null = {}): Promise<ProtocolReply> {
    const id = ++this.lastId
    this.sendBytes(encodeMessagePack([1, id, name, payload]))
    const [kind, , body] = await this.waitForValue(([kind, of]) => (kind === 2 || kind === 3) && of === id)
    return kind === 2 ? { answer: body as StringMap } : { refusal: body as StringMap } // both are maps
  }

  /** The payload of the first event of this name, past or future, that fits. */
  async waitForEvent(name: string, fits: (payload: StringMap) => boolean = () => true): Promise<StringMap> {
    const value = await this.waitForValue((candidate) => valueName(candidate) === name && fits(valuePayload(candidate)))
    return valuePayload(value)
  }

  /** The payloads of the events of this name so far. */
  receivedPayloads(name: string): StringMap[] {
    return this.received.filter((value) => valueName(value) === name).map(valuePayload)
  }

  /** The first value, past or future, that fits. Rejects when the connection closes before there is one. */
  waitForValue(fits: (value: ProtocolValue) => boolean): Promise<ProtocolValue> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = this.received.find(fits)
        if (!found && !this.isClosed) return
        this.waiting.delete(check)
        if (found) resolve(found)
        else reject(new Error('the connection closed before it came'))
      }
      this.waiting.add(check)
      check()
    })
  }

  sendBytes(bytes: Uint8Array): void {
    this.socket.send(bytes)
  }

  /** Resolves when the server has answered a ping, and so when all that it has sent before is here. */
  waitForPong(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.once('pong', () => resolve())
      this.socket.ping((error?: Error) => error && reject(error))
    })
  }

  sendText(text: string): void {
    this.socket.send(text)
  }

  /** Stops reading, so that the server's frames pile up. */
  stopReading(): void {
    this.socket.pause()
  }

  /** Asks without waiting for the reply. */
  sendRequest(name: string, payload: StringMap): void {
    this.sendBytes(encodeMessagePack([1, ++this.lastId, name, payload]))
  }

  /** Closes without a close frame, as a lost network does. */
  terminate(): void {
    this.socket.terminate()
  }

  private onValue(value: ProtocolValue): void {
    this.received.push(value)
    const given = value[0] === 4 ? value[1] : (value[2] as StringMap | undefined)?.cursor // an event's seq, or what carries one
    if (typeof given === 'number') this.cursor = Math.max(this.cursor, given)
    this.checkWaiters()
  }

  private checkWaiters(): void {
    for (const check of this.waiting) check()
  }
}

/** The name of an event; null of any other value. */
export function valueName(value: ProtocolValue): unknown {
  return value[0] === 4 ? value[2] : value[0] === 5 ? value[1] : null
}

/** The payload of an event. */
export function valuePayload(value: ProtocolValue): StringMap {
  return (value[0] === 4 ? value[3] : value[2]) as StringMap // every event has one
}

/** One value as MessagePack. */
export function encodeMessagePack(value: unknown): Uint8Array {
  return Buffer.concat(encodePieces(value))
}

function encodePieces(value: unknown): Uint8Array[] {
  if (value === null || value === undefined) return [Uint8Array.of(0xc0)]
  if (typeof value === 'boolean') return [Uint8Array.of(value ? 0xc3 : 0xc2)]
  if (typeof value === 'number') return [encodeNumber(value)]
  if (value instanceof Uint8Array) return [encodeHeader(0xc6, value.length), value]
  if (Array.isArray(value)) return [encodeHeader(0xdd, value.length), ...value.flatMap(encodePieces)]
  if (typeof value === 'object') {
    const fields = Object.entries(value)
    return [encodeHeader(0xdf, fields.length), ...fields.flat().flatMap(encodePieces)]
  }
  const text = new TextEncoder().encode(String(value))
  return [encodeHeader(0xdb, text.length), text]
}

function encodeNumber(value: number): Uint8Array {
  if (Number.isInteger(value) && value >= 0 && value < 128) return Uint8Array.of(value)
  const bytes = Buffer.alloc(9, 0xcb)
  bytes.writeDoubleBE(value, 1)
  return bytes
}

function encodeHeader(head: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(5, head)
  bytes.writeUInt32BE(size, 1)
  return bytes
}

/** The values of a frame. Throws when it is not MessagePack, or uses a type that this protocol does not. */
export function decodeMessagePack(frame: Buffer): unknown[] {
  const reader = new MessagePackReader(frame)
  const values: unknown[] = []
  while (reader.hasMore()) values.push(reader.readValue())
  return values
}

class MessagePackReader {
  private readonly frame: Buffer
  private at = 0
  private readonly byHead: Record<number, () => unknown> = {
    192: () => null,
    194: () => false,
    195: () => true,
    196: () => this.bytes(this.uint(1)),
    197: () => this.bytes(this.uint(2)),
    198: () => this.bytes(this.uint(4)),
    202: () => this.bytes(4).readFloatBE(),
    203: () => this.bytes(8).readDoubleBE(),
    204: () => this.uint(1),
    205: () => this.uint(2),
    206: () => this.uint(4),
    207: () => Number(this.bytes(8).readBigUInt64BE()),
    208: () => this.bytes(1).readInt8(),
    209: () => this.bytes(2).readInt16BE(),
    210: () => this.bytes(4).readInt32BE(),
    211: () => Number(this.bytes(8).readBigInt64BE()),
    217: () => this.text(this.uint(1)),
    218: () => this.text(this.uint(2)),
    219: () => this.text(this.uint(4)),
    220: () => this.array(this.uint(2)),
    221: () => this.array(this.uint(4)),
    222: () => this.map(this.uint(2)),
    223: () => this.map(this.uint(4)),
  }

  constructor(frame: Buffer) {
    this.frame = frame
  }

  hasMore(): boolean {
    return this.at < this.frame.length
  }

  readValue(): unknown {
    const head = this.uint(1)
    if (head < 0x80) return head
    if (head < 0x90) return this.map(head & 0x0f)
    if (head < 0xa0) return this.array(head & 0x0f)
    if (head < 0xc0) return this.text(head & 0x1f)
    if (head >= 0xe0) return head - 0x100
    const readIt = this.byHead[head]
    if (!readIt) throw new Error(`a type that this protocol does not use: ${head}`)
    return readIt()
  }

  private bytes(length: number): Buffer {
    const end = this.at + length
    if (end > this.frame.length) throw new Error('the frame is cut short')
    const bytes = this.frame.subarray(this.at, end)
    this.at = end
    return bytes
  }

  private uint(length: 1 | 2 | 4): number {
    return this.bytes(length).readUIntBE(0, length)
  }

  private text(length: number): string {
    return new TextDecoder('utf-8', { fatal: true }).decode(this.bytes(length))
  }

  private array(length: number): unknown[] {
    return Array.from({ length }, () => this.readValue())
  }

  private map(length: number): StringMap {
    return Object.fromEntries(Array.from({ length }, () => [this.readValue(), this.readValue()]))
  }
}
