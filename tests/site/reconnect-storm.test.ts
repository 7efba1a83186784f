// @module-tag deep
import { describe, expect, it, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import { openTestRegion, sendHello } from '../../src/server/testing/fixtures/test-region.ts'
import { decodeServerFrame, encode, Kind } from '../../src/shared/protocol/frame.ts'
import { PROTOCOL_MAJOR } from '../../src/shared/protocol/version.ts'
import { ConnectionClosedError, expectAnswer, LiveConnection } from '../drivers/live-connection.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'

const CLIENT_COUNT = maxClientCount()
/**
 * Handshakes under way. The site is busy at all times; with all of them under way, this process, which is every client, sends
 * some requests only after the 10 s that the site waits for one.
 */
const RESUMING_AT_ONCE = 500
/** A connected user gets at most one batch of presence changes every 250 ms, one count a second, and messages. */
const MAX_FRAMES_PER_SECOND = 10
const MAX_INITIAL_FRAMES = 20
/** Many times what it takes on a quiet machine. */
const TEST_TIMEOUT_MS = 480_000

/** A cheap client: counts received frames, and decodes only the answer to hello. */
class ResumingClient {
  frames = 0
  readonly socket: WebSocket
  private readonly waiting = new Set<(frame: Buffer) => void>()

  constructor(origin: string) {
    this.socket = new WebSocket(`${origin.replace('http', 'ws')}/live`, { origin, perMessageDeflate: false })
    this.socket.on('error', () => {}) // 'close' follows
    this.socket.on('message', (frame: Buffer) => {
      this.frames++
      for (const check of this.waiting) check(frame)
    })
  }

  /** Says hello with a cursor; resolves with whether the connection resumed from it. Rejects when it closes earlier. */
  async resume(token: string, cursor: number): Promise<boolean> {
    const closed = new Promise<never>((_, reject) =>
      this.socket.once('close', (code) => reject(new ConnectionClosedError(code))),
    )
    await Promise.race([closed, new Promise((resolve) => this.socket.once('open', resolve))])
    const hello = { protocol: PROTOCOL_MAJOR, token, browserId: 'program', platform: 'web', cursor, roomId: 1 }
    this.socket.send(encode([Kind.request, 1, 'hello', hello]))
    const answers = (frame: Buffer) => decodeServerFrame(frame).filter((value) => value[0] === Kind.answer)
    const frame = await Promise.race([closed, this.waitForFrame((frame) => answers(frame).length > 0)])
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

/**
 * Ends the site, and gives it what it had before all connections broke: the guests, and a message that they have not received.
 * In this process, because thousands of sign-ins over HTTP take a minute.
 */
async function prepareData(site: SiteProcess) {
  await site.signal('SIGTERM')
  const region = await openTestRegion({ MEYDAN_DATA: site.dataFolder })
  const speaker = await region.createRootAdmin('Söyleyen')
  const names = Array.from({ length: CLIENT_COUNT }, (_, index) => `Dönen${index}`)
  const guests = await Promise.all(names.map((name) => region.createGuest(name)))
  const client = region.openConnection()
  const hello = await sendHello(client, speaker)
  if (!('cursor' in hello)) throw new Error(`refused: ${hello.code}`)
  await client.request('joinRoom', { roomId: 1 })
  expect(await client.request('sendMessage', { roomId: 1, content: 'Kaçırılan söz' })).toMatchObject({ success: true })
  await region.close()
  return { tokens: guests.map(({ token }) => token), speakerToken: speaker.token, cursor: hello.cursor }
}

async function say(site: SiteProcess, token: string, content: string): Promise<void> {
  const { connection } = await LiveConnection.open(site.origin, token)
  expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
  expectAnswer(await connection.request('sendMessage', { roomId: 1, content }))
}

/** Resumes with every token, some at once. Rejects when one is refused, or its connection closes. */
async function resumeAll(site: SiteProcess, tokens: readonly string[], cursor: number) {
  const clients: ResumingClient[] = []
  const missed: Promise<Buffer>[] = []
  const waiting = tokens.values()
  const resumeNext = async () => {
    for (const token of waiting) {
      const client = new ResumingClient(site.origin)
      clients.push(client)
      missed.push(client.waitForText('Kaçırılan söz'))
      expect(await client.resume(token, cursor)).toBe(true)
    }
  }
  await Promise.all(Array.from({ length: RESUMING_AT_ONCE }, resumeNext))
  await Promise.all(missed)
  return clients
}

describe('5,000 users whose connections broke at once', () => {
  const title = '[PRES-08] [LIVE-15] reconnect at once, resume, and receive a bounded number of frames'
  it(title, { timeout: TEST_TIMEOUT_MS }, async () => {
    const site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '100000' } })
    onTestFinished(() => site.stop())
    const { tokens, speakerToken, cursor } = await prepareData(site)
    // Nothing of their former connections outlives the process, so it is all the same that there were none.
    await site.restart()

    const started = performance.now()
    const clients = await resumeAll(site, tokens, cursor)
    const delivered = clients.map((client) => client.waitForText('Hoş geldiniz'))
    await say(site, speakerToken, 'Hoş geldiniz')
    await Promise.all(delivered)
    const seconds = (performance.now() - started) / 1000
    const frames = clients.reduce((sum, client) => sum + client.frames, 0)
    expect(frames / CLIENT_COUNT).toBeLessThan(MAX_INITIAL_FRAMES + MAX_FRAMES_PER_SECOND * seconds)
    expect(clients.filter(({ socket }) => socket.readyState !== WebSocket.OPEN)).toEqual([])
    for (const { socket } of clients) socket.terminate()
  })
})
