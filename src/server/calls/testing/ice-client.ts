import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { classes, Message, methods, parseMessage } from 'werift'
import type { LegCredentials, RelayCandidate } from '../relay/relay.ts'

export interface CheckOptions {
  isNominating?: boolean
  transactionId?: Buffer
  /** By default a random one. */
  ownFragment?: string
}

/** A connectivity check as a controlling browser sends it (RFC 8445, section 7.2). */
export function encodeCheck(credentials: LegCredentials, options: CheckOptions = {}): Buffer {
  const { isNominating = false, transactionId = randomBytes(12), ownFragment = 'Own1' } = options
  const message = new Message(methods.BINDING, classes.REQUEST, transactionId)
    .setAttribute('USERNAME', `${credentials.usernameFragment}:${ownFragment}`)
    .setAttribute('ICE-CONTROLLING', 7n)
    .setAttribute('PRIORITY', 1_853_824_767)
  if (isNominating) message.setAttribute('USE-CANDIDATE', null)
  return message.addMessageIntegrity(Buffer.from(credentials.password)).addFingerprint().bytes
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

/** A browser's side of a leg, over UDP: sends checks and packets, and keeps what it receives. */
export class IceClient {
  /** Packets that are not STUN. */
  readonly media: Buffer[] = []
  /** STUN messages. */
  readonly responses: Buffer[] = []
  private readonly socket: Socket
  private waiting: (() => void)[] = []

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('message', (data) => {
      ;(data.length > 0 && (data[0] ?? 0) < 4 ? this.responses : this.media).push(data)
      for (const wake of this.waiting.splice(0)) wake()
    })
  }

  static async open(host = '127.0.0.1', port = 0): Promise<IceClient> {
    const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: 4 << 20 })
    socket.bind(port, host)
    await once(socket, 'listening')
    return new IceClient(socket)
  }

  get port(): number {
    return this.socket.address().port
  }

  send(data: Buffer, { port, address }: RelayCandidate): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.send(data, port, address, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Sends a check until it is answered, and verifies the answer. The relay's thread may still be starting. */
  async check(relay: RelayCandidate, credentials: LegCredentials, options: CheckOptions = {}): Promise<Message> {
    const key = Buffer.from(credentials.password)
    const { transactionId = randomBytes(12) } = options
    const isAnswer = (data: Buffer) => data.subarray(8, 20).equals(transactionId)
    const before = this.responses.length
    const findAnswer = () => this.responses.slice(before).find(isAnswer)
    for (let attempt = 0; attempt < 200 && !findAnswer(); attempt++) {
      await this.send(encodeCheck(credentials, { ...options, transactionId }), relay)
      await Promise.race([this.nextPacket(), new Promise((resolve) => setTimeout(resolve, 50))])
    }
    const answer = findAnswer()
    const message = answer && parseMessage(answer, key)
    if (!message) throw new Error(answer ? 'the answer has a wrong integrity' : 'the check was not answered')
    return message
  }

  /** A check that nominates this client's address. */
  nominate(relay: RelayCandidate, credentials: LegCredentials): Promise<Message> {
    return this.check(relay, credentials, { isNominating: true })
  }

  /** Resolves with the first `count` packets of media. */
  async receive(count: number, timeoutMs = 10_000): Promise<Buffer[]> {
    const deadline = AbortSignal.timeout(timeoutMs)
    while (this.media.length < count) {
      if (deadline.aborted) throw new Error(`${this.media.length} of ${count} packets came`)
      await Promise.race([this.nextPacket(), once(deadline, 'abort')])
    }
    return this.media.slice(0, count)
  }

  close(): void {
    this.socket.close()
  }

  private nextPacket(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve))
  }
}
