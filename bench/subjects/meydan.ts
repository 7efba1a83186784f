import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import type WebSocket from 'ws'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'
import { decodeServerFrame, encode, Kind, type Payload } from '../../src/shared/protocol/frame.ts'
import { PROTOCOL_MAJOR } from '../../src/shared/protocol/version.ts'
import { ServerProcess } from '../measure/server-process.ts'
import { onPayload, openSocket, PendingRequests } from './client-socket.ts'
import type { BenchClient, BenchSubject, MeasuredServer, RunningSubject } from './subject.ts'

const LOGINS_AT_ONCE = 32
/** High enough that no limit on sign-ins or commands applies. */
const LIMIT_SCALE = '1000000'
/** As in `npm start`. */
const NODE_FLAGS = ['--max-semi-space-size=8']
/** Above the ids of the default rooms. */
const FIRST_ROOM_ID = 1_000
const DATABASE_NAME = 'meydan.db'

/** Our server as `npm start` runs it, with a new database below `.cache`, on a real disk. */
export const meydan = {
  name: 'Meydan',
  /** @param fill creates the database file before the server starts */
  start: async (fill?: (databaseFile: string) => Promise<void>) => {
    const folder = resolve('.cache/bench', randomUUID())
    await mkdir(folder, { recursive: true })
    try {
      await fill?.(join(folder, DATABASE_NAME))
      return new RunningMeydan(folder, await startServer(folder))
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  },
} satisfies BenchSubject

function startServer(folder: string): Promise<ServerProcess> {
  const environment = { MEYDAN_DATA: folder, MEYDAN_LIMIT_SCALE: LIMIT_SCALE, MEYDAN_LOG: 'warn' }
  return ServerProcess.start('src/server/main.ts', { environment, nodeFlags: NODE_FLAGS, ready: '/readyz' })
}

/** Counted across all sites of a run, because regions of one site share user names. */
let guestCount = 0

export class RunningMeydan implements RunningSubject {
  server: MeasuredServer
  readonly #folder: string
  readonly #databaseFile: string
  #rooms = FIRST_ROOM_ID

  /** `stop` deletes `folder`. */
  constructor(folder: string, program: MeasuredServer, databaseFile = join(folder, DATABASE_NAME)) {
    this.#folder = folder
    this.#databaseFile = databaseFile
    this.server = program
  }

  async prepareClients(people: number): Promise<(() => Promise<MeydanClient>)[]> {
    const connectors: (() => Promise<MeydanClient>)[] = []
    while (connectors.length < people) {
      const batch = Array.from({ length: Math.min(LOGINS_AT_ONCE, people - connectors.length) }, () =>
        this.signInGuest(),
      )
      for (const { signedIn } of await Promise.all(batch)) connectors.push(() => this.connect(signedIn))
    }
    return connectors
  }

  /** A new guest, with the cookie that renders pages. */
  async signInGuest(): Promise<{ signedIn: SignedIn; cookie: string }> {
    guestCount += 1
    const { origin } = this.server
    const response = await fetch(`${origin}/api/users/guest-login`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ username: `gezgin.${String(guestCount).padStart(5, '0')}`, browserId: randomUUID() }),
    })
    if (!response.ok) throw new Error(`guest-login was refused: ${await response.text()}`)
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    return { signedIn: (await response.json()) as SignedIn, cookie }
  }

  /** The first client owns the room, so chat limits do not apply to it. */
  async openRoom(clients: BenchClient[]): Promise<number> {
    // prepareClients returns Meydan clients.
    const people = clients as MeydanClient[]
    const roomId = this.#insertRoom(people[0]?.userId ?? null)
    await Promise.all(people.map((client) => client.joinRoom(roomId)))
    return roomId
  }

  /** Adds rooms without an owner; returns their ids. */
  addRooms(count: number): number[] {
    return Array.from({ length: count }, () => this.#insertRoom(null))
  }

  /** Bytes of all of the site's files on the disk. */
  async diskBytes(): Promise<number> {
    const files = await readdir(this.#folder, { recursive: true, withFileTypes: true })
    const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)))
    return (await Promise.all(sizes)).reduce((sum, { blocks }) => sum + blocks * 512, 0)
  }

  /** Writes messages into the database of the running server, without events. */
  insertMessages(roomId: number, messages: readonly { sender: MeydanClient; content: string }[]): void {
    this.writeDatabase((db) => {
      const insert = db.prepare(
        `insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt)
         values (?, ?, ?, 1, null, ?, ?)`,
      )
      for (const { sender, content } of messages) insert.run(roomId, sender.userId, content, randomUUID(), Date.now())
    })
  }

  /** Makes a user the owner of a room, so that chat limits do not apply there. */
  setRoomOwner(roomId: number, ownerId: number): void {
    this.writeDatabase((db) => db.prepare('update room set ownerId = ? where id = ?').run(ownerId, roomId))
  }

  /** Makes users admins of a room, so that chat limits do not apply to them there. */
  addRoomAdmins(roomId: number, userIds: readonly number[]): void {
    this.writeDatabase((db) => {
      const insert = db.prepare('insert into roomAdmin (roomId, userId) values (?, ?)')
      for (const userId of userIds) insert.run(roomId, userId)
    })
  }

  /** Lets everybody call everybody by video. */
  allowVideoCalls(): void {
    this.writeDatabase((db) => db.prepare("update user set videoCallPrivacy = 'everyone'").run())
  }

  /** The number of the last event in the log. */
  readLastSeq(): number {
    let last: unknown
    this.writeDatabase((db) => {
      last = db.prepare('select max(seq) from event').pluck().get()
    })
    return Number(last)
  }

  /** Only for a site of `meydan.start`, because the process of a region belongs to LiteFS. */
  async restart(): Promise<void> {
    await this.server.stop()
    this.server = await startServer(this.#folder)
  }

  async stop(): Promise<void> {
    await this.server.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** Connects a guest. With `resume` the server replays what was missed, which `onPayload` receives. */
  async connect(
    { token, user }: SignedIn,
    resume?: Resume,
    onPayload?: (payload: Buffer) => void,
  ): Promise<MeydanClient> {
    const { origin, port } = this.server
    const client = new MeydanClient(user, await openSocket(`ws://127.0.0.1:${port}/live`, { origin }))
    if (onPayload) client.onPayload = onPayload
    await client.sendHello(token, resume)
    return client
  }

  /** Writes the row directly, because buying a room is not measured. */
  #insertRoom(ownerId: number | null): number {
    const roomId = ++this.#rooms
    this.writeDatabase((db) =>
      db
        .prepare(
          `insert into room (id, name, foldedName, capacity, isList, isActive, ownerId, createdAt, updatedAt)
           values (?, ?, ?, 100000, 0, 1, ?, 0, 0)`,
        )
        .run(roomId, `Oda ${roomId}`, `oda ${roomId}`, ownerId),
    )
    return roomId
  }

  /** Changes the database of the running server directly. */
  writeDatabase(write: (db: Sqlite.Database) => void): void {
    const db = new Sqlite(this.#databaseFile, { timeout: 5_000 })
    write(db)
    db.close()
  }
}

/** A user as commands name them. */
export type NamedUser = Pick<MeydanClient, 'username' | 'userId'>

/** From where a connection resumes. */
interface Resume {
  cursor: number
  roomId: number
}

/** A guest with an open connection after hello. */
export class MeydanClient implements BenchClient {
  onPayload: (payload: Buffer) => void = () => {}
  readonly userId: number
  readonly username: string
  readonly #socket: WebSocket
  readonly #answers = new PendingRequests()
  roomId = 0

  constructor({ id, username }: SignedIn['user'], socket: WebSocket) {
    this.userId = id
    this.username = username
    this.#socket = socket
    onPayload(socket, (payload) => {
      if (this.#answers.size) this.#readAnswers(payload)
      this.onPayload(payload)
    })
    socket.once('close', () => this.#answers.rejectAll(new Error('the connection closed')))
  }

  sendHello(token: string, resume?: Resume): Promise<void> {
    const browserId = randomUUID()
    return this.#request('hello', { protocol: PROTOCOL_MAJOR, token, browserId, platform: 'web', ...resume })
  }

  async joinRoom(roomId: number): Promise<void> {
    this.roomId = roomId
    await this.#request('joinRoom', { roomId })
  }

  /** The user counts of a room, refused from outside of it. */
  getStatus(roomId: number): Promise<void> {
    return this.#request('getStatus', { roomId })
  }

  sendMessage(content: string): Promise<void> {
    return this.#request('sendMessage', { roomId: this.roomId, content, clientId: randomUUID() })
  }

  sendDirectMessage({ username, userId }: NamedUser, content: string): Promise<void> {
    const clientId = randomUUID()
    return this.#request('sendDirectMessage', { recipientUsername: username, recipientId: userId, content, clientId })
  }

  /** Gives a gift of the catalogue, outside of rooms. */
  sendGift(giftKindId: number, { userId }: NamedUser): Promise<void> {
    return this.#request('sendGift', { giftKindId, recipientId: userId, clientId: randomUUID() })
  }

  /** Opens the conversation with a user: resolves with the answer, which its messages follow. */
  openConversation({ username, userId }: NamedUser): Promise<void> {
    return this.#request('dmSessionStart', { recipientUsername: username, recipientId: userId })
  }

  watchPosts(userId: number): Promise<void> {
    return this.#request('watchPosts', { userId })
  }

  /** Requests the page of messages before an id. */
  getMessages(before: number): Promise<void> {
    return this.#request('getMessages', { roomId: this.roomId, before })
  }

  searchMessages(text: string): Promise<void> {
    return this.#request('searchMessages', { roomId: this.roomId, text })
  }

  close(): void {
    this.#socket.terminate()
  }

  #request(name: string, payload: Payload): Promise<void> {
    const { id, answered } = this.#answers.addRequest()
    this.#socket.send(encode([Kind.request, id, name, payload]))
    return answered
  }

  #readAnswers(payload: Buffer): void {
    for (const value of decodeServerFrame(payload)) {
      if (value[0] === Kind.answer) this.#answers.settleRequest(value[1])
      if (value[0] === Kind.refusal)
        this.#answers.settleRequest(value[1], new Error(`refused: ${JSON.stringify(value[2])}`))
    }
  }
}
