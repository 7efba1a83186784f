// @module-tag deep
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { ConnectionClosedError, expectAnswer, LiveConnection, signInAsGuest } from '../drivers/live-connection.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'

const SENDER_COUNT = 64
/**
 * The site is killed at each of these numbers of answered messages; the senders stop after the last. A sender may resume
 * late on a busy machine, so all messages together are fewer than a replay covers.
 */
const KILLED_AT = [200, 500, 800]
const MESSAGE_COUNT = 900

interface SentMessage {
  id: number
  content: string
}

/** A guest in room 1 who reconnects after each break and resumes at the last cursor. */
class ResumingSender {
  /** Every message received over all connections. */
  readonly receivedMessages: SentMessage[] = []
  readonly sentMessages: SentMessage[] = []
  readonly name: string
  /** How often its connection broke. */
  breaks = 0
  private readonly site: SiteProcess
  /** Resolves once the site is there. */
  private readonly waitForSite: () => Promise<void>
  private token = ''
  private cursor = 0
  private connection: LiveConnection | null = null

  constructor(site: SiteProcess, name: string, back: () => Promise<void>) {
    this.site = site
    this.name = name
    this.waitForSite = back
  }

  async enter(): Promise<void> {
    this.token = (await signInAsGuest(this.site.origin, this.name)).token
    const { connection } = await LiveConnection.open(this.site.origin, this.token)
    expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
    this.connection = connection
  }

  /** Sends one more message; repeats it under the same clientId after each break until it is answered. */
  async sendMessage(): Promise<void> {
    const content = `${this.name}: ${this.sentMessages.length}`
    const clientId = randomUUID()
    for (;;) {
      const outcome = await this.withConnection((connection) =>
        connection.request('sendMessage', { roomId: 1, content, clientId }),
      )
      if (outcome === null) continue
      if (outcome instanceof Refusal) await this.waitForRefusal(outcome)
      else {
        this.sentMessages.push({ id: outcome.id ?? 0, content })
        return
      }
    }
  }

  /** Waits for the refusal's `waitMs`, and reconnects meanwhile when the connection breaks. */
  private async waitForRefusal({ body }: Refusal): Promise<void> {
    if (body.waitMs === undefined) throw new Error(`refused: ${body.code}`)
    const over = new Promise<void>((resolve) => setTimeout(resolve, body.waitMs))
    while (
      (await this.withConnection((connection) => Promise.race([over.then(() => true), rejectOnClose(connection)]))) ===
      null
    );
  }

  /** Resolves when this many messages were received. */
  async waitForMessages(count: number): Promise<void> {
    const all = () => this.receivedMessages.length + (this.connection?.receivedEvents('message').length ?? 0)
    while (all() < count)
      await this.withConnection((connection) =>
        Promise.race([connection.waitFor(() => all() >= count), rejectOnClose(connection)]),
      )
    this.closeConnection()
  }

  /** Runs the action on an open connection; null when the connection broke meanwhile. */
  private async withConnection<T>(act: (connection: LiveConnection) => Promise<T>): Promise<T | null> {
    try {
      this.connection ??= await this.resume()
      return await act(this.connection)
    } catch (error) {
      if (!(error instanceof ConnectionClosedError) || error.code !== 1006) throw error
      this.breaks++
      this.closeConnection()
      await this.waitForSite()
      return null
    }
  }

  private async resume(): Promise<LiveConnection> {
    const { connection, hello } = await LiveConnection.open(this.site.origin, this.token, {
      cursor: this.cursor,
      roomId: 1,
    })
    expect(hello.resumed).toBe(true)
    return connection
  }

  private closeConnection(): void {
    for (const { id, content } of this.connection?.receivedEvents('message') ?? [])
      this.receivedMessages.push({ id, content })
    this.cursor = this.connection?.cursor ?? this.cursor
    this.connection = null
  }
}

async function rejectOnClose(connection: LiveConnection): Promise<never> {
  throw new ConnectionClosedError(await connection.closed)
}

function readMessages(dataFolder: string): SentMessage[] {
  const db = new Sqlite(join(dataFolder, 'meydan.db'), { readonly: true })
  const rows = db.prepare('select id, content from message where roomId = 1 order by id').all()
  db.close()
  return rows as SentMessage[] // the two columns asked for
}

/** Makes everybody an admin of room 1: they have none of its waits, which are rules of other tests. */
async function exemptFromSendLimits(site: SiteProcess): Promise<void> {
  await site.kill9()
  site.changeDatabase((db) => db.exec('insert into roomAdmin (roomId, userId) select 1, id from user'))
  await site.restart()
}

describe('a site that is killed with -9 while 64 users send', () => {
  let site: SiteProcess
  beforeAll(async () => {
    site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '1000' } })
    return () => site.stop()
  })

  it('[LIVE-03] [LIVE-15] [CHAT-14] loses no answered message, stores none twice, and delivers each once in order', async () => {
    let restarting: Promise<void> = Promise.resolve()
    const names = ['Dinleyen', ...Array.from({ length: SENDER_COUNT }, (_, index) => `Konuşan${index}`)]
    const guests = names.map((name) => new ResumingSender(site, name, () => restarting))
    await Promise.all(guests.map((guest) => guest.enter()))
    restarting = exemptFromSendLimits(site)
    await restarting
    const [listener, ...senders] = guests

    let answered = 0
    const kills = [...KILLED_AT]
    const sendUntilDone = async (sender: ResumingSender) => {
      while (answered < MESSAGE_COUNT) {
        await sender.sendMessage()
        if (++answered < (kills[0] ?? Number.POSITIVE_INFINITY)) continue
        kills.shift()
        restarting = site.restart()
      }
    }
    await Promise.all([...senders.map(sendUntilDone), listener?.waitForMessages(MESSAGE_COUNT)])
    expect(kills).toEqual([])
    expect(listener?.breaks).toBe(1 + KILLED_AT.length)

    const sent = senders.flatMap((sender) => sender.sentMessages).sort((a, b) => a.id - b.id)
    const stored = readMessages(site.dataFolder)
    expect(stored).toEqual(sent)
    await listener?.waitForMessages(stored.length)
    expect(listener?.receivedMessages).toEqual(stored)
  })
})
