import { createHmac, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, isIPv6, type Socket } from 'node:net'
import { crc32 } from 'node:zlib'
import { classes, Message, methods, parseMessage } from 'werift'
import type { RelayCandidate } from '../relay/relay-call.ts'
import { encodeFrame, FrameReader } from '../relay/tcp-server.ts'
import type { LegCredentials } from '../relay/worker-protocol.ts'

const CHROMIUM_DTLS_IN_STUN = 0xc070

export interface CheckOptions {
  isNominating?: boolean
  transactionId?: Buffer
  /** The browser's own username fragment. */
  ownFragment?: string
  /** The value of a further attribute, of a type that may be ignored if none is given. */
  extra?: Buffer
  extraType?: number
}

/** A connectivity check as a controlling browser sends it (RFC 8445, section 7.2). */
export function encodeCheck(credentials: LegCredentials, options: CheckOptions = {}): Buffer {
  const { isNominating = false, transactionId = randomBytes(12), ownFragment = 'Own1' } = options
  const message = new Message(methods.BINDING, classes.REQUEST, transactionId)
    .setAttribute('USERNAME', `${credentials.usernameFragment}:${ownFragment}`)
    .setAttribute('ICE-CONTROLLING', 7n)
    .setAttribute('PRIORITY', 1_853_824_767)
  if (isNominating) message.setAttribute('USE-CANDIDATE', null)
  if (options.extra) return signWithExtra(message, credentials, options.extra, options.extraType)
  return message.addMessageIntegrity(Buffer.from(credentials.password)).addFingerprint().bytes
}

/** werift writes attributes that it does not know after all others, so the integrity is computed without it. */
function signWithExtra(
  message: Message,
  credentials: LegCredentials,
  extra: Buffer,
  extraType = CHROMIUM_DTLS_IN_STUN,
): Buffer {
  const attribute = Buffer.alloc(4)
  attribute.writeUInt16BE(extraType, 0)
  attribute.writeUInt16BE(extra.length, 2)
  const signed = Buffer.concat([message.bytes, attribute, extra, Buffer.alloc(-extra.length & 3)])
  signed.writeUInt16BE(signed.length - 20 + 24, 2)
  const integrity = createHmac('sha1', credentials.password).update(signed).digest()
  const whole = Buffer.concat([signed, Buffer.from([0, 8, 0, 20]), integrity, Buffer.from([0x80, 0x28, 0, 4])])
  whole.writeUInt16BE(whole.length - 20 + 4, 2)
  const fingerprint = Buffer.alloc(4)
  fingerprint.writeUInt32BE((crc32(whole.subarray(0, -4)) ^ 0x5354554e) >>> 0)
  return Buffer.concat([whole, fingerprint])
}

/** A packet that looks like SRTP (first byte 128), with its number. */
export function encodeMedia(number: number, bytes = 100): Buffer {
  const packet = Buffer.alloc(bytes, 0x5a)
  packet[0] = 0x80
  packet.writeUInt32BE(number, 4)
  return packet
}

export function mediaNumber(packet: Buffer): number {
  return packet.readUInt32BE(4)
}

interface ClientTransport {
  port: number
  send(data: Buffer, relay: RelayCandidate): Promise<void>
  close(): void
}

/** A browser's side of a leg: sends checks and packets, and keeps what it receives. */
export class IceClient {
  /** Packets that are not STUN. */
  readonly media: Buffer[] = []
  /** STUN messages. */
  readonly responses: Buffer[] = []
  private transport: ClientTransport | null = null
  private waiting: (() => void)[] = []

  /** A client over UDP, by default on loopback. */
  static async open(host = '127.0.0.1', port = 0): Promise<IceClient> {
    const client = new IceClient()
    const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: 4 << 20 })
    socket.on('message', (data) => client.store(data))
    socket.bind(port, host)
    await once(socket, 'listening')
    client.transport = {
      port: socket.address().port,
      send: (data, relay) =>
        new Promise((resolve, reject) => {
          socket.send(data, relay.port, relay.address, (error) => (error ? reject(error) : resolve()))
        }),
      close: () => socket.close(),
    }
    return client
  }

  /** A client over TCP (RFC 4571), connected to this candidate. `onSocket` gets its socket. */
  static async connect({ port, address }: RelayCandidate, onSocket: (socket: Socket) => void = () => {}) {
    const client = new IceClient()
    const socket = connect(port, address)
    await once(socket, 'connect')
    const reader = new FrameReader(65_535)
    socket.on('data', (chunk) => reader.read(chunk, (packet) => client.store(packet)))
    socket.on('error', () => {}) // the relay may reset it
    client.transport = {
      port: socket.localPort ?? 0,
      send: (data) => new Promise((resolve) => socket.write(encodeFrame(data), () => resolve())),
      close: () => socket.destroy(),
    }
    onSocket(socket)
    return client
  }

  get port(): number {
    return this.open.port
  }

  send(data: Buffer, relay: RelayCandidate): Promise<void> {
    return this.open.send(data, relay)
  }

  /** Sends a check until it is answered, because the relay's thread may still be starting, and verifies the answer. */
  async check(relay: RelayCandidate, credentials: LegCredentials, options: CheckOptions = {}): Promise<Message> {
    const { transactionId = randomBytes(12) } = options
    const check = encodeCheck(credentials, { ...options, transactionId })
    const isAnswer = (data: Buffer) => data.subarray(8, 20).equals(transactionId)
    for (let attempt = 0; attempt < 200 && !this.responses.some(isAnswer); attempt++) {
      await this.send(check, relay)
      await Promise.race([this.nextPacket(), new Promise((resolve) => setTimeout(resolve, 50))])
    }
    const answer = this.responses.find(isAnswer)
    const message = answer && parseMessage(answer, Buffer.from(credentials.password))
    if (!message) throw new Error(answer ? 'the answer has a wrong integrity' : 'the check was not answered')
    return message
  }

  /** A check that nominates this client's address. */
  nominate(relay: RelayCandidate, credentials: LegCredentials): Promise<Message> {
    return this.check(relay, credentials, { isNominating: true })
  }

  /** Resolves with the numbers of the first `count` packets of media. */
  async receive(count: number, timeoutMs = 10_000): Promise<number[]> {
    const deadline = Date.now() + timeoutMs
    while (this.media.length < count) {
      if (Date.now() > deadline) throw new Error(`${this.media.length} of ${count} packets came`)
      await Promise.race([this.nextPacket(), new Promise((resolve) => setTimeout(resolve, 100))])
    }
    return this.media.slice(0, count).map(mediaNumber)
  }

  close(): void {
    this.open.close()
  }

  private get open(): ClientTransport {
    if (!this.transport) throw new Error('the client is not open')
    return this.transport
  }

  private store(data: Buffer): true {
    const isStun = data.length > 0 && (data[0] ?? 0) < 4
    ;(isStun ? this.responses : this.media).push(data)
    for (const wake of this.waiting.splice(0)) wake()
    return true
  }

  private nextPacket(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve))
  }
}
