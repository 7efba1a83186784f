import { beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { decodeServerFrame, encode, Kind } from '../../src/shared/protocol/frame.ts'
import { PROTOCOL_MAJOR } from '../../src/shared/protocol/version.ts'
import { enterAsGuest, granted, LiveLine, signIn } from '../live-line.ts'
import { makeRootAdmin, type Site, startSite } from '../site.ts'

const PEOPLE = peopleThatFit()
const ENTER_AT_ONCE = 50
/** Whoever is there gets at most one gathering of changes every 250 ms, a count a second, and what is said. */
const FRAMES_A_SECOND = 10
const FRAMES_AT_FIRST = 20

/** One of very many: counts what comes, and decodes only what answers hello. */
class Returner {
  frames = 0
  readonly socket: WebSocket
  private readonly waiting = new Set<(frame: Buffer) => void>()

  constructor(origin: string) {
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}/live`, { origin, perMessageDeflate: false })
    this.socket.on('error', () => {}) // 'close' follows, and the test waits for what never comes
    this.socket.on('message', (frame: Buffer) => {
      this.frames++
      for (const look of this.waiting) look(frame)
    })
  }

  /** Says hello with the cursor of before; answers whether the connection goes on from there. */
  async resume(token: string, cursor: number): Promise<boolean> {
    await new Promise((resolve) => this.socket.once('open', resolve))
    const hello = { protocol: PROTOCOL_MAJOR, token, browserId: 'program', platform: 'web', cursor, roomId: 1 }
    this.socket.send(encode([Kind.request, 1, 'hello', hello]))
    const answers = (frame: Buffer) => decodeServerFrame(frame).filter((value) => value[0] === Kind.answer)
    const frame = await this.next((frame) => answers(frame).length > 0)
    return answers(frame)[0]?.[2].resumed === true
  }

  /** Resolves with the next frame that fits. */
  next(fits: (frame: Buffer) => boolean): Promise<Buffer> {
    return new Promise((resolve) => {
      const look = (frame: Buffer) => {
        if (!fits(frame)) return
        this.waiting.delete(look)
        resolve(frame)
      }
      this.waiting.add(look)
    })
  }

  hears(words: string): Promise<Buffer> {
    const bytes = Buffer.from(words)
    return this.next((frame) => frame.includes(bytes))
  }
}

/** 5,000, or as many as this machine lets one process have files open. */
function peopleThatFit(): number {
  const { userLimits } = process.report.getReport() as { userLimits: { open_files: { hard: number | string } } } // as Node documents its report
  const { hard } = userLimits.open_files
  return typeof hard === 'number' ? Math.min(5_000, hard - 500) : 5_000
}

/** The tokens of very many guests, who enter a few at a time. */
async function enterMany(site: Site): Promise<string[]> {
  const names = Array.from({ length: PEOPLE }, (_, index) => `Dönen${index}`)
  const tokens: string[] = []
  const enterNext = async () => {
    for (let name = names.pop(); name; name = names.pop()) tokens.push((await enterAsGuest(site.origin, name)).token)
  }
  await Promise.all(Array.from({ length: ENTER_AT_ONCE }, enterNext))
  return tokens
}

describe('5,000 people whose lines broke in one moment', () => {
  let site: Site
  let password: string
  beforeAll(async () => {
    site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '100000' } })
    password = await makeRootAdmin(site, 'Söyleyen')
    return () => site.stop()
  })

  async function speaker(): Promise<(content: string) => Promise<void>> {
    const { line } = await LiveLine.open(site.origin, (await signIn(site.origin, 'Söyleyen', password)).token)
    granted(await line.ask('joinRoom', { roomId: 1 }))
    return async (content) => void granted(await line.ask('sendMessage', { roomId: 1, content }))
  }

  it('[PRES-08] [LIVE-15] come back at once, go on where they were, and are told a bounded amount', async () => {
    const tokens = await enterMany(site)
    const cursor = (await LiveLine.open(site.origin, tokens[0] ?? '')).hello.cursor
    await (await speaker())('Kaçırılan söz')
    // Nothing of their former connections outlives the process, so it is all the same that there were none.
    await site.restart()

    const started = performance.now()
    const people = tokens.map((token) => ({ token, line: new Returner(site.origin) }))
    const missed = people.map(({ line }) => line.hears('Kaçırılan söz'))
    const resumed = await Promise.all(people.map(({ token, line }) => line.resume(token, cursor)))
    expect(resumed.filter((one) => !one)).toEqual([])
    await Promise.all(missed)

    const heard = people.map(({ line }) => line.hears('Hoş geldiniz'))
    await (await speaker())('Hoş geldiniz')
    await Promise.all(heard)
    const seconds = (performance.now() - started) / 1000
    const frames = people.reduce((sum, { line }) => sum + line.frames, 0)
    expect(frames / PEOPLE).toBeLessThan(FRAMES_AT_FIRST + FRAMES_A_SECOND * seconds)
    expect(people.filter(({ line }) => line.socket.readyState !== WebSocket.OPEN)).toEqual([])
    for (const { line } of people) line.socket.terminate()
  })
})
