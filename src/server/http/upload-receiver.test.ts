import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '../../shared/media/rules.ts'
import { route, Text } from '../../shared/protocol/define.ts'
import { openTestApi, type TestApi } from '../testing/fixtures/test-api.ts'
import type { TestUser } from '../testing/fixtures/test-region.ts'
import { BodyBuffers } from './body-buffers.ts'
import { MAX_UPLOAD_BYTES } from './upload-receiver.ts'

const PATH = '/api/test/upload'
const spec = route({
  description: '',
  method: 'PUT',
  path: '/test/upload',
  access: 'member',
  limiter: null,
  identityFields: [],
  retry: 'none',
  fileFields: ['photo'],
  input: v.object({ word: v.optional(Text(8)) }),
  answer: v.object({ got: v.unknown() }),
})

let api: TestApi
let members: TestUser[]
let guest: TestUser
/** Bodies that reached the handler. */
let handled = 0
/** The handler waits for it, so that a test decides for how long a body is in memory. */
let hold: Promise<void> = Promise.resolve()
const lines: Socket[] = []

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, mount, { appContext }) =>
    mount(app, appContext, spec, async ({ input, files }) => {
      handled++
      await hold
      return { got: { ...input, files: [...files].map(([name, bytes]) => [name, bytes.length]) } }
    }),
  )
  members = await Promise.all(Array.from({ length: 22 }, (_, index) => api.region.createRootAdmin(`üye${index}`)))
  guest = await api.region.createGuest('ziyaretçi')
})
afterEach(() => {
  for (const line of lines.splice(0)) line.destroy()
  vi.restoreAllMocks()
})
afterAll(() => api.close())

const bearer = (person: TestUser) => ({ authorization: `Bearer ${person.token}` })
const someone = (): TestUser => members[0] as TestUser

async function put(body: BodyInit, headers: Record<string, string> = {}, person = someone()) {
  const response = await api.send(PATH, { method: 'PUT', body, headers: { ...bearer(person), ...headers } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** A form with a file of so many bytes. */
function form(bytes: number, name = 'photo'): FormData {
  const data = new FormData()
  data.set(name, new Blob([new Uint8Array(bytes)]), '../../../etc/passwd')
  data.set('word', 'söz')
  return data
}

/** Writes a body by hand; `text` is what stands between its boundaries. */
const written = (text: string, boundary = 'x') =>
  put(text, { 'content-type': `multipart/form-data; boundary=${boundary}` })

/** A raw line on which a request has begun, as somebody sends who does not go on. */
async function begin(headers: string[], person = someone()): Promise<Socket> {
  const line = connect(Number(new URL(api.origin).port), '127.0.0.1')
  lines.push(line)
  await once(line, 'connect')
  const head = [`PUT ${PATH} HTTP/1.1`, 'host: meydan', `authorization: Bearer ${person.token}`]
  line.write(`${[...head, 'content-type: multipart/form-data; boundary=x', ...headers].join('\r\n')}\r\n\r\n`)
  return line
}

/** What the line hears first. */
async function answerOn(line: Socket): Promise<string> {
  const [data] = (await once(line, 'data')) as [Buffer] // what a socket emits
  return data.toString()
}

describe('a body with a file', () => {
  it('[FILE-18] comes whole, with its fields, under no name of the sender', async () => {
    expect(await put(form(1_000))).toEqual({ status: 200, body: { got: { word: 'söz', files: [['photo', 1_000]] } } })
    expect((await put(form(MAX_FILE_BYTES))).status).toBe(200)
  })

  it('[FILE-18] of one byte more than 20 MB is refused, and what is larger is not read', async () => {
    const tooLarge = { success: false, code: 'TooLarge', message: FILE_TOO_LARGE }
    const before = handled
    expect(await put(form(MAX_FILE_BYTES + 1))).toEqual({ status: 413, body: { ...tooLarge, path: 'photo' } })
    expect(await put(form(MAX_UPLOAD_BYTES))).toEqual({ status: 413, body: tooLarge })
    expect(handled).toBe(before)
    const answer = await answerOn(await begin(['content-length: 5368709120']))
    expect(answer).toContain('413')
    expect(answer).toContain(FILE_TOO_LARGE)
  })

  it('[FILE-18] that does not say how long it is, is cut off at the limit', async () => {
    const line = await begin(['transfer-encoding: chunked'])
    const heard = answerOn(line)
    const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024), Buffer.from('\r\n')])
    let sent = 0
    let isOver = false
    const ended = heard.finally(() => {
      isOver = true
    })
    while (!isOver && sent < 100) {
      sent++
      if (!line.write(megabyte)) await Promise.race([once(line, 'drain').catch(() => {}), ended])
    }
    expect(await heard).toContain('413')
    // What lies in the buffers between us may be sent beside it.
    expect(sent).toBeLessThan(60)
  })

  it('[FILE-18] cannot be sent as JSON beyond what JSON may be', async () => {
    const { status } = await put(`{"word":"${'x'.repeat(70_000)}"}`, { 'content-type': 'application/json' })
    expect(status).toBe(413)
  })

  it('[PROF-02] of a stranger, a guest or another page is refused before it is read', async () => {
    const before = handled
    const length = ['content-length: 20000000']
    expect(await answerOn(await begin(length, { ...guest, token: 'a.b.c' }))).toMatch(/401[\s\S]*SessionEnded/)
    expect(await answerOn(await begin(length, guest))).toMatch(/403[\s\S]*Bunun için üye olmalısınız\./)
    expect(await answerOn(await begin([...length, 'origin: https://evil.example']))).toMatch(
      /403[\s\S]*OriginNotAllowed/,
    )
    expect(handled).toBe(before)
  })
})

describe('what is no form of ours', () => {
  const part = (name: string, more = '') => `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`

  it.each([
    ['no parts', ''],
    ['no end', `${part('word')}söz`],
    ['no name', '--x\r\ncontent-disposition: form-data\r\n\r\nsöz\r\n--x--'],
    ['no head', '--x\r\n\r\nsöz\r\n--x--'],
    ['a head without an end', `--x\r\ncontent-disposition: form-data; name="${'n'.repeat(3_000_000)}`],
    ['a huge name', `${part('n'.repeat(3_000_000))}söz\r\n--x--`],
    ['a thousand heads of a part', `--x\r\n${'a: b\r\n'.repeat(1_000)}\r\nsöz\r\n--x--`],
    ['100,000 parts', `${`${part('word')}s\r\n`.repeat(100_000)}--x--`],
    ['text alone', 'word=söz'],
    ['zeroes', '\0'.repeat(100_000)],
  ])('[FILE-20] is refused: %s', async (_, text) => {
    expect(await written(text)).toMatchObject({ status: 422, body: { code: 'InvalidInput', path: '' } })
  })

  it.each(['', 'multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="a b"'])(
    '[FILE-20] is refused as %j',
    async (type) => {
      const { status } = await put(`${part('word')}söz\r\n--x--`, { 'content-type': type })
      expect(status).toBe(type === '' ? 415 : 422)
    },
  )

  it.each(['multipart/mixed; boundary=x', 'multipart/form-datas; boundary=x', 'image/png'])(
    '[FILE-20] is refused as %s with 415',
    async (type) => {
      expect((await put('--x--', { 'content-type': type })).status).toBe(415)
    },
  )

  it('[FILE-20] is refused: a file under another name, text in place of a file', async () => {
    expect(await put(form(10, 'other'))).toMatchObject({ status: 422 })
    expect(await put(form(10, '__proto__'))).toMatchObject({ status: 422, body: { path: '__proto__' } })
    const data = new FormData()
    data.set('photo', 'https://127.0.0.1/secret')
    expect(await put(data)).toMatchObject({ status: 422, body: { path: 'photo' } })
  })

  it('[FILE-20] pollutes nothing by its names, and leaves out what is blank', async () => {
    const data = new FormData()
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) data.append(name, 'evil')
    data.append('word', '')
    data.append('photo', new Blob([]), '')
    expect(await put(data)).toEqual({ status: 200, body: { got: { files: [] } } })
  })

  it('[FILE-20] takes a boundary in quotes, as some programs write it', async () => {
    const type = 'multipart/form-data; boundary="--b:1=?"'
    const text = '----b:1=?\r\ncontent-disposition: form-data; name="word"\r\n\r\nsöz\r\n----b:1=?--\r\n'
    expect(await put(text, { 'content-type': type })).toMatchObject({ status: 200, body: { got: { word: 'söz' } } })
  })
})

describe('many bodies at once', () => {
  it('[FILE-19] are opened a few at a time, some wait, and the rest are told Busy', async () => {
    const gate = Promise.withResolvers<void>()
    hold = gate.promise
    const before = handled
    const heard: unknown[] = []
    const answers = members.map(async (member) => heard.push(await put(form(1_000), {}, member)))
    const busy = expect.objectContaining({ status: 503, body: expect.objectContaining({ code: 'Busy' }) })
    await expect.poll(() => heard).toEqual(Array(members.length - 20).fill(busy))
    await expect.poll(() => handled - before).toBe(4)
    gate.resolve()
    await Promise.all(answers)
    expect(heard.slice(members.length - 20)).toEqual(Array(20).fill(expect.objectContaining({ status: 200 })))
    expect((await put(form(1_000))).status).toBe(200)
  })

  it('[FILE-19] hold no place before they are whole: 200 that come a byte at a time keep nobody out, and are given up', async () => {
    const begun = vi.spyOn(BodyBuffers.prototype, 'open')
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const senders = await Promise.all(
        Array.from({ length: 200 }, (_, index) => api.region.createRootAdmin(`damla${index}`)),
      )
      const slow = await Promise.all(
        senders.map((sender) => begin(['content-length: 1000000', 'expect: 100-continue'], sender)),
      )
      for (const line of slow) expect(await answerOn(line)).toContain('100 Continue')
      await expect.poll(() => begun.mock.calls.length).toBe(200)
      expect((await put(form(1_000_000))).status).toBe(200)
      const heard = slow.map(answerOn)
      vi.advanceTimersByTime(9_900)
      for (const line of slow) line.write('c')
      // What they bring buys them next to no time.
      vi.advanceTimersByTime(200)
      for (const line of slow) line.write('c')
      for (const answer of heard) {
        expect(await answer).toMatch(
          / 422 [\s\S]*Dosya çok yavaş geliyor\. Bağlantınızı kontrol edip yeniden deneyin\./,
        )
      }
      expect((await put(form(10), {}, senders[0])).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  it('[FILE-19] of one person are one, and a line that breaks off gives its place back', async () => {
    const begun = vi.spyOn(BodyBuffers.prototype, 'open')
    const slow = await begin(['content-length: 1000000'])
    await expect.poll(() => begun.mock.calls.length).toBe(1)
    expect((await put(form(10))).status).toBe(503)
    expect((await put(form(10), {}, members[1])).status).toBe(200)
    slow.destroy()
    await expect.poll(async () => (await put(form(10))).status).toBe(200)
  })
})
