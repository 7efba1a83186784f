// @module-tag deep
import { beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { decodeServerFrame, encode, Kind } from '../../src/shared/protocol/frame.ts'
import { PROTOCOL_MAJOR } from '../../src/shared/protocol/version.ts'
import { expectAnswer, LiveConnection, signIn, signInAsGuest } from '../drivers/live-connection.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'

const CLIENT_COUNT = maxClientCount()
const SIGN_IN_CONCURRENCY = 50
/** A connected user gets at most one batch of presence changes every 250 ms, one count a second, and messages. */
const MAX_FRAMES_PER_SECOND = 10
const MAX_INITIAL_FRAMES = 20

/** A cheap client: counts received frames, and decodes only the answer to hello. */
class ResumingClient {
  frames = 0
  readonly socket: WebSocket
  private readonly waiting = new Set<(frame: Buffer) => void>()

  constructor(origin: string) {
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}/live`, { origin, perMessageDeflate: false })
    this.socket.on('error', () => {}) // 'close' follows, and the test times out
    this.socket.on('message', (frame: Buffer) => {
      this.frames++
      for (const check of this.waiting) check(frame)
    })
  }

  /** Says hello with a cursor; resolves with whether the connection resumed from it. */
  async resume(token: string, cursor: number): Promise<boolean> {
    await new Promise((resolve) => this.socket.once('open', resolve))
    const hello = { protocol: PROTOCOL_MAJOR, token, browserId: 'program', platform: 'web', cursor, roomId: 1 }
    this.socket.send(encode([Kind.request, 1, 'hello', hello]))
    const answers = (frame: Buffer) => decodeServerFrame(frame).filter((value) => value[0] === Kind.answer)
    const frame = await this.waitForFrame((frame) => answers(frame).length > 0)
    return answers(frame)[0]?.[2].resumed === true
  }

  /** Resolves with the next frame that fits. */
  waitForFrame(fits: (frame: Buffer) => boolean): Promise<Buffer> {
    return new Promise((resolve) => {
      const look = (frame: Buffer) => {
        if (!fits(frame)) return
        this.waiting.delete(look)
        resolve(frame)
      }
      this.waiting.add(look)
    })
  }

  waitForText(words: string): Promise<Buffer> {
    const bytes = Buffer.from(words)
    return this.waitForFrame((frame) => frame.includes(bytes))
  }
}

/** 5,000, or as many as this machine lets one process have files open. */
function maxClientCount(): number {
  const { userLimits } = process.report.getReport() as { userLimits: { open_files: { hard: number | string } } } // as Node documents its report
  const { hard } = userLimits.open_files
  return typeof hard === 'number' ? Math.min(5_000, hard - 500) : 5_000
}

/** The tokens of very many guests, who enter a few at a time. */
async function signInGuests(site: SiteProcess): Promise<string[]> {
  const names = Array.from({ length: CLIENT_COUNT }, (_, index) => `Dönen${index}`)
  const tokens: string[] = []
  const enterNext = async () => {
    for (let name = names.pop(); name; name = names.pop()) tokens.push((await signInAsGuest(site.origin, name)).token)
  }
  await Promise.all(Array.from({ length: SIGN_IN_CONCURRENCY }, enterNext))
  return tokens
}

describe('5,000 users whose connections broke at once', () => {
  let site: SiteProcess
  let password: string
  beforeAll(async () => {
    site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '100000' } })
    password = await site.createRootAdmin('Söyleyen')
    return () => site.stop()
  })

  async function speaker(): Promise<(content: string) => Promise<void>> {
    const { connection } = await LiveConnection.open(
      site.origin,
      (await signIn(site.origin, 'Söyleyen', password)).token,
    )
    expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
    return async (content) => void expectAnswer(await connection.request('sendMessage', { roomId: 1, content }))
  }

  it('[PRES-08] [LIVE-15] reconnect at once, resume, and receive a bounded number of frames', async () => {
    const tokens = await signInGuests(site)
    const cursor = (await LiveConnection.open(site.origin, tokens[0] ?? '')).hello.cursor
    await (await speaker())('Kaçırılan söz')
    // Nothing of their former connections outlives the process, so it is all the same that there were none.
    await site.restart()

    const started = performance.now()
    const people = tokens.map((token) => ({ token, connection: new ResumingClient(site.origin) }))
    const missed = people.map(({ connection }) => connection.waitForText('Kaçırılan söz'))
    const resumed = await Promise.all(people.map(({ token, connection }) => connection.resume(token, cursor)))
    expect(resumed.filter((one) => !one)).toEqual([])
    await Promise.all(missed)

    const delivered = people.map(({ connection }) => connection.waitForText('Hoş geldiniz'))
    await (await speaker())('Hoş geldiniz')
    await Promise.all(delivered)
    const seconds = (performance.now() - started) / 1000
    const frames = people.reduce((sum, { connection }) => sum + connection.frames, 0)
    expect(frames / CLIENT_COUNT).toBeLessThan(MAX_INITIAL_FRAMES + MAX_FRAMES_PER_SECOND * seconds)
    expect(people.filter(({ connection }) => connection.socket.readyState !== WebSocket.OPEN)).toEqual([])
    for (const { connection } of people) connection.socket.terminate()
  })
})
