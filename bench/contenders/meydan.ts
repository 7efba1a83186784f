import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import type WebSocket from 'ws'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'
import { decodeServerFrame, encode, Kind, type Payload } from '../../src/shared/protocol/frame.ts'
import { PROTOCOL_MAJOR } from '../../src/shared/protocol/version.ts'
import { Program } from '../measure/program.ts'
import type { Contender, Serving, Site, Visitor } from './contender.ts'
import { onPayload, openSocket, Waiting } from './socket.ts'

const LOGINS_AT_ONCE = 32
/** High enough that no limit on entering or on commands is ever met. */
const LIMIT_SCALE = '1000000'
/** Room 1 is the house's; those of the bench are well above. */
const FIRST_ROOM = 1_000

/** Our own server as `npm start` runs it, on a database of its own below `.cache`, on a real disk. */
export const meydan = {
  name: 'Meydan',
  start: async () => {
    const folder = resolve('.cache/bench', randomUUID())
    await mkdir(folder, { recursive: true })
    const environment = { MEYDAN_DATA: folder, MEYDAN_LIMIT_SCALE: LIMIT_SCALE, MEYDAN_LOG: 'warn' }
    try {
      return new MeydanSite(folder, await Program.start('src/server/main.ts', { environment, ready: '/readyz' }))
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  },
} satisfies Contender

/** Of all sites of this run: regions of one site share their names. */
let people = 0

export class MeydanSite implements Site {
  readonly program: Serving
  readonly #folder: string
  readonly #databaseFile: string
  #rooms = FIRST_ROOM

  /** `folder` goes away with it. */
  constructor(folder: string, program: Serving, databaseFile = join(folder, 'meydan.db')) {
    this.#folder = folder
    this.#databaseFile = databaseFile
    this.program = program
  }

  async invite(people: number): Promise<(() => Promise<MeydanVisitor>)[]> {
    const doors: (() => Promise<MeydanVisitor>)[] = []
    while (doors.length < people) {
      const some = Array.from({ length: Math.min(LOGINS_AT_ONCE, people - doors.length) }, () => this.signIn())
      for (const { signedIn } of await Promise.all(some)) doors.push(() => this.#connect(signedIn))
    }
    return doors
  }

  /** A new guest, with the cookie that renders pages. */
  async signIn(): Promise<{ signedIn: SignedIn; cookie: string }> {
    people += 1
    const { origin } = this.program
    const response = await fetch(`${origin}/api/users/guest-login`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ username: `gezgin.${String(people).padStart(5, '0')}`, browserId: randomUUID() }),
    })
    if (!response.ok) throw new Error(`guest-login was refused: ${await response.text()}`)
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    return { signedIn: (await response.json()) as SignedIn, cookie }
  }

  /** The first visitor owns the room: its owner is exempt from the chat limits. */
  async openRoom(visitors: Visitor[]): Promise<number> {
    // Every visitor here came through `invite`.
    const people = visitors as MeydanVisitor[]
    const roomId = this.#insertRoom(people[0]?.userId ?? null)
    await Promise.all(people.map((visitor) => visitor.join(roomId)))
    return roomId
  }

  /** Has something said by several people, at once and beside the running server: nobody has to hear of it. */
  write(roomId: number, said: readonly { by: MeydanVisitor; content: string }[]): void {
    this.#beside((db) => {
      const insert = db.prepare(
        `insert into message (roomId, senderId, content, run, audience, clientId, createdAt)
         values (?, ?, ?, 1, null, ?, ?)`,
      )
      for (const { by, content } of said) insert.run(roomId, by.userId, content, randomUUID(), Date.now())
    })
  }

  /** Whoever owns a room may say there what and as often as they like. */
  giveRoom(roomId: number, ownerId: number): void {
    this.#beside((db) => db.prepare('update room set ownerId = ? where id = ?').run(ownerId, roomId))
  }

  async stop(): Promise<void> {
    await this.program.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #connect({ token, user }: SignedIn): Promise<MeydanVisitor> {
    const { origin, port } = this.program
    const visitor = new MeydanVisitor(user.id, await openSocket(`ws://127.0.0.1:${port}/live`, { origin }))
    await visitor.hello(token)
    return visitor
  }

  /** Buying a room is not what is measured, so its row is written beside the running server. */
  #insertRoom(ownerId: number | null): number {
    const roomId = ++this.#rooms
    this.#beside((db) =>
      db
        .prepare(
          `insert into room (id, name, foldedName, capacity, isList, isActive, ownerId, createdAt, updatedAt)
           values (?, ?, ?, 100000, 0, 1, ?, 0, 0)`,
        )
        .run(roomId, `Oda ${roomId}`, `oda ${roomId}`, ownerId),
    )
    return roomId
  }

  #beside(write: (db: Sqlite.Database) => void): void {
    const db = new Sqlite(this.#databaseFile, { timeout: 5_000 })
    write(db)
    db.close()
  }
}

/** A guest with an open connection that hello has answered. */
export class MeydanVisitor implements Visitor {
  onPayload: (payload: Buffer) => void = () => {}
  readonly userId: number
  readonly #socket: WebSocket
  readonly #answers = new Waiting()
  roomId = 0

  constructor(userId: number, socket: WebSocket) {
    this.userId = userId
    this.#socket = socket
    onPayload(socket, (payload) => {
      if (this.#answers.size) this.#settle(payload)
      this.onPayload(payload)
    })
  }

  hello(token: string): Promise<void> {
    return this.#request('hello', { protocol: PROTOCOL_MAJOR, token, browserId: randomUUID(), platform: 'web' })
  }

  async join(roomId: number): Promise<void> {
    this.roomId = roomId
    await this.#request('joinRoom', { roomId })
  }

  say(content: string): Promise<void> {
    return this.#request('sendMessage', { roomId: this.roomId, content, clientId: randomUUID() })
  }

  close(): void {
    this.#socket.terminate()
  }

  #request(name: string, payload: Payload): Promise<void> {
    const { id, answered } = this.#answers.next()
    this.#socket.send(encode([Kind.request, id, name, payload]))
    return answered
  }

  #settle(payload: Buffer): void {
    for (const value of decodeServerFrame(payload)) {
      if (value[0] === Kind.answer) this.#answers.settle(value[1])
      if (value[0] === Kind.refusal) this.#answers.settle(value[1], new Error(`refused: ${JSON.stringify(value[2])}`))
    }
  }
}
