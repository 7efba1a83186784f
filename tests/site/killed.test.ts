import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { enterAsGuest, granted, LineBroken, LiveLine } from '../live-line.ts'
import { type Site, startSite } from '../site.ts'

const SENDERS = 64
/** The site is killed each time that so many messages were answered, and the senders stop after the last. */
const KILLED_AT = [300, 900, 1500]
const ENOUGH = 2_000

interface Said {
  id: number
  content: string
}

/** A guest in room 1 whose line, when it breaks, is resumed where it was as soon as the site is back. */
class Guest {
  /** Every message heard, over all lines. */
  readonly heard: Said[] = []
  readonly said: Said[] = []
  readonly name: string
  /** How often its line broke. */
  breaks = 0
  private readonly site: Site
  /** Resolves once the site is there. */
  private readonly back: () => Promise<void>
  private token = ''
  private cursor = 0
  private line: LiveLine | null = null

  constructor(site: Site, name: string, back: () => Promise<void>) {
    this.site = site
    this.name = name
    this.back = back
  }

  async enter(): Promise<void> {
    this.token = (await enterAsGuest(this.site.origin, this.name)).token
    const { line } = await LiveLine.open(this.site.origin, this.token)
    granted(await line.ask('joinRoom', { roomId: 1 }))
    this.line = line
  }

  /** Says one more thing, again under the same clientId until it is answered, however often the line breaks. */
  async say(): Promise<void> {
    const content = `${this.name}: ${this.said.length}`
    const clientId = randomUUID()
    for (;;) {
      const outcome = await this.alive((line) => line.ask('sendMessage', { roomId: 1, content, clientId }))
      if (outcome === null) continue
      if (outcome instanceof Refusal) await this.wait(outcome)
      else {
        this.said.push({ id: outcome.id ?? 0, content })
        return
      }
    }
  }

  /** Waits as long as a refusal of the chat's own rules says, and comes back meanwhile when the line breaks. */
  private async wait({ body }: Refusal): Promise<void> {
    if (body.waitMs === undefined) throw new Error(`refused: ${body.code}`)
    const over = new Promise<void>((resolve) => setTimeout(resolve, body.waitMs))
    while ((await this.alive((line) => Promise.race([over.then(() => true), broken(line)]))) === null);
  }

  /** Resolves when so many messages were heard. */
  async hear(count: number): Promise<void> {
    const all = () => this.heard.length + (this.line?.heard('message').length ?? 0)
    while (all() < count) await this.alive((line) => Promise.race([line.until(() => all() >= count), broken(line)]))
    this.collect()
  }

  /** Does it on a living line; null when the line broke meanwhile. */
  private async alive<T>(act: (line: LiveLine) => Promise<T>): Promise<T | null> {
    try {
      this.line ??= await this.resume()
      return await act(this.line)
    } catch (error) {
      if (!(error instanceof LineBroken) || error.code !== 1006) throw error
      this.breaks++
      this.collect()
      await this.back()
      return null
    }
  }

  private async resume(): Promise<LiveLine> {
    const { line, hello } = await LiveLine.open(this.site.origin, this.token, { cursor: this.cursor, roomId: 1 })
    expect(hello.resumed).toBe(true)
    return line
  }

  private collect(): void {
    for (const { id, content } of this.line?.heard('message') ?? []) this.heard.push({ id, content })
    this.cursor = this.line?.cursor ?? this.cursor
    this.line = null
  }
}

async function broken(line: LiveLine): Promise<never> {
  throw new LineBroken(await line.closed)
}

function messagesOf(dataFolder: string): Said[] {
  const db = new Sqlite(join(dataFolder, 'meydan.db'), { readonly: true })
  const rows = db.prepare('select id, content from message where roomId = 1 order by id').all()
  db.close()
  return rows as Said[] // the two columns asked for
}

describe('a site that is killed with -9 in the midst of 64 senders', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '1000' } })
    return () => site.stop()
  })

  it('[LIVE-03] [LIVE-15] [CHAT-14] has lost nothing that it answered, has nothing twice, and tells it once, in order', async () => {
    let restarting: Promise<void> = Promise.resolve()
    const names = ['Dinleyen', ...Array.from({ length: SENDERS }, (_, index) => `Konuşan${index}`)]
    const guests = names.map((name) => new Guest(site, name, () => restarting))
    await Promise.all(guests.map((guest) => guest.enter()))
    const [listener, ...senders] = guests

    let answered = 0
    const kills = [...KILLED_AT]
    const talk = async (sender: Guest) => {
      while (answered < ENOUGH) {
        await sender.say()
        if (++answered < (kills[0] ?? Number.POSITIVE_INFINITY)) continue
        kills.shift()
        restarting = site.restart()
      }
    }
    await Promise.all([...senders.map(talk), listener?.hear(ENOUGH)])
    expect(kills).toEqual([])
    expect(listener?.breaks).toBe(KILLED_AT.length)

    const said = senders.flatMap((sender) => sender.said).sort((a, b) => a.id - b.id)
    const kept = messagesOf(site.dataFolder)
    expect(kept).toEqual(said)
    await listener?.hear(kept.length)
    expect(listener?.heard).toEqual(kept)
  })
})
