import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '../../../shared/media/rules.ts'
import { route, Text } from '../../../shared/protocol/define.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
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
/** The handler awaits it, so that a test controls how long a body is in memory. */
let handlerGate: Promise<void> = Promise.resolve()
const sockets: Socket[] = []

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000' }, (app, mount, { appContext }) =>
    mount(app, appContext, spec, async ({ input, files }) => {
      handled++
      await handlerGate
      return { got: { ...input, files: [...files].map(([name, bytes]) => [name, bytes.length]) } }
    }),
  )
  members = await Promise.all(Array.from({ length: 22 }, (_, index) => api.region.createRootAdmin(`üye${index}`)))
  guest = await api.region.createGuest('ziyaretçi')
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  vi.restoreAllMocks()
})
afterAll(() => api.close())

const bearer = (person: TestUser) => ({ authorization: `Bearer ${person.token}` })
const someone = (): TestUser => members[0] as TestUser

async function put(body: BodyInit, headers: Record<string, string> = {}, person = someone()) {
  const response = await api.send(PATH, { method: 'PUT', body, headers: { ...bearer(person), ...headers } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** An unlisted proxy forwards the request, so its user stands for its address. */
const notAttributable = { 'x-forwarded-for': '198.51.100.1' }

/** A form with a file of `bytes` zeros. */
function form(bytes: number, name = 'photo'): FormData {
  const data = new FormData()
  data.set(name, new Blob([new Uint8Array(bytes)]), '../../../etc/passwd')
  data.set('word', 'söz')
  return data
}

/** Sends a hand-written multipart body. */
const putRaw = (text: string, boundary = 'x') =>
  put(text, { 'content-type': `multipart/form-data; boundary=${boundary}` })

/** A raw socket that has sent the headers of a request and no body. */
async function beginRequest(headers: string[], person = someone()): Promise<Socket> {
  const socket = connect(Number(new URL(api.origin).port), '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  const head = [`PUT ${PATH} HTTP/1.1`, 'host: meydan', `authorization: Bearer ${person.token}`]
  socket.write(`${[...head, 'content-type: multipart/form-data; boundary=x', ...headers].join('\r\n')}\r\n\r\n`)
  return socket
}

/** The first data that the socket receives. */
async function firstData(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer] // what a socket emits
  return data.toString()
}

describe('a body with a file', () => {
  it('[FILE-18] reaches the handler with its fields and without its file name', async () => {
    expect(await put(form(1_000))).toEqual({ status: 200, body: { got: { word: 'söz', files: [['photo', 1_000]] } } })
    expect((await put(form(MAX_FILE_BYTES))).status).toBe(200)
  })

  it('[FILE-18] is refused one byte over 20 MB, and not read when it is larger still', async () => {
    const tooLarge = { success: false, code: 'TooLarge', message: FILE_TOO_LARGE }
    const before = handled
    expect(await put(form(MAX_FILE_BYTES + 1))).toEqual({ status: 413, body: { ...tooLarge, path: 'photo' } })
    expect(handled).toBe(before)
    // The answer comes before the body, so these send none: a client that still writes may see the socket close first.
    for (const length of [MAX_UPLOAD_BYTES + 1, 5 * 2 ** 30]) {
      const answer = await firstData(await beginRequest([`content-length: ${length}`]))
      expect(answer).toContain('413')
      expect(answer).toContain(JSON.stringify(tooLarge))
    }
  })

  it('[FILE-18] without a Content-Length is refused at the limit', async () => {
    const socket = await beginRequest(['transfer-encoding: chunked'])
    const answered = firstData(socket)
    const megabyte = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1024 * 1024), Buffer.from('\r\n')])
    let sent = 0
    let isOver = false
    const ended = answered.finally(() => {
      isOver = true
    })
    while (!isOver && sent < 100) {
      sent++
      if (!socket.write(megabyte)) await Promise.race([once(socket, 'drain').catch(() => {}), ended])
    }
    expect(await answered).toContain('413')
    // Socket buffers take some megabytes more.
    expect(sent).toBeLessThan(60)
  })

  it('[FILE-18] cannot exceed the JSON limit as JSON', async () => {
    const { status } = await put(`{"word":"${'x'.repeat(70_000)}"}`, { 'content-type': 'application/json' })
    expect(status).toBe(413)
  })

  it('[PROF-02] is refused unread without a session, from a guest and from another origin', async () => {
    const before = handled
    const length = ['content-length: 20000000']
    expect(await firstData(await beginRequest(length, { ...guest, token: 'a.b.c' }))).toMatch(/401[\s\S]*SessionEnded/)
    expect(await firstData(await beginRequest(length, guest))).toMatch(/403[\s\S]*Bunun için üye olmalısın\./)
    expect(await firstData(await beginRequest([...length, 'origin: https://evil.example']))).toMatch(
      /403[\s\S]*OriginNotAllowed/,
    )
    expect(handled).toBe(before)
  })
})

describe('an invalid form', () => {
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
  ])('[FILE-20] is refused with 422: %s', async (_, text) => {
    expect(await putRaw(text)).toMatchObject({ status: 422, body: { code: 'InvalidInput', path: '' } })
  })

  it.each(['', 'multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="a b"'])(
    '[FILE-20] is refused with the content type %j',
    async (type) => {
      const { status } = await put(`${part('word')}söz\r\n--x--`, { 'content-type': type })
      expect(status).toBe(type === '' ? 415 : 422)
    },
  )

  it.each(['multipart/mixed; boundary=x', 'multipart/form-datas; boundary=x', 'image/png'])(
    '[FILE-20] is refused with 415 for %s',
    async (type) => {
      expect((await put('--x--', { 'content-type': type })).status).toBe(415)
    },
  )

  it('[FILE-20] is refused with a file under another name, and with text in a file field', async () => {
    expect(await put(form(10, 'other'))).toMatchObject({ status: 422 })
    expect(await put(form(10, '__proto__'))).toMatchObject({ status: 422, body: { path: '__proto__' } })
    const data = new FormData()
    data.set('photo', 'https://127.0.0.1/secret')
    expect(await put(data)).toMatchObject({ status: 422, body: { path: 'photo' } })
  })

  it('[FILE-20] does not pollute prototypes, and blank fields are dropped', async () => {
    const data = new FormData()
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty']) data.append(name, 'evil')
    data.append('word', '')
    data.append('photo', new Blob([]), '')
    expect(await put(data)).toEqual({ status: 200, body: { got: { files: [] } } })
  })

  it('[FILE-20] may quote its boundary if it is valid', async () => {
    const type = 'multipart/form-data; boundary="--b:1=?"'
    const text = '----b:1=?\r\ncontent-disposition: form-data; name="word"\r\n\r\nsöz\r\n----b:1=?--\r\n'
    expect(await put(text, { 'content-type': type })).toMatchObject({ status: 200, body: { got: { word: 'söz' } } })
  })
})

describe('many bodies at once', () => {
  it('[FILE-19] are parsed four at a time, sixteen wait, and the rest are refused with Busy', async () => {
    const gate = Promise.withResolvers<void>()
    handlerGate = gate.promise
    const before = handled
    const answered: unknown[] = []
    const answers = members.map(async (member) => answered.push(await put(form(1_000), notAttributable, member)))
    const busy = expect.objectContaining({ status: 503, body: expect.objectContaining({ code: 'Busy' }) })
    await expect.poll(() => answered).toEqual(Array(members.length - 20).fill(busy))
    await expect.poll(() => handled - before).toBe(4)
    gate.resolve()
    await Promise.all(answers)
    expect(answered.slice(members.length - 20)).toEqual(Array(20).fill(expect.objectContaining({ status: 200 })))
    expect((await put(form(1_000))).status).toBe(200)
  })

  it('[FILE-19] of one address are handled two at a time, two wait, and another address is not kept waiting', async () => {
    const gate = Promise.withResolvers<void>()
    handlerGate = gate.promise
    const before = handled
    const answered: unknown[] = []
    const answers = members.slice(1).map(async (member) => answered.push(await put(form(1_000), {}, member)))
    await expect.poll(() => answered.length).toBe(members.length - 5)
    expect(new Set(answered.map((answer) => (answer as { status: number }).status))).toEqual(new Set([503]))
    const other = put(form(1_000), notAttributable)
    await expect.poll(() => handled - before).toBe(3)
    gate.resolve()
    expect((await other).status).toBe(200)
    await Promise.all(answers)
    expect(answered.slice(-4)).toEqual(Array(4).fill(expect.objectContaining({ status: 200 })))
  })

  it('[FILE-19] occupy no slot before they are complete: 200 that trickle block nobody and are refused', async () => {
    const begun = vi.spyOn(BodyBuffers.prototype, 'open')
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const senders = await Promise.all(
        Array.from({ length: 200 }, (_, index) => api.region.createRootAdmin(`damla${index}`)),
      )
      const slow = await Promise.all(
        senders.map((sender) => beginRequest(['content-length: 1000000', 'expect: 100-continue'], sender)),
      )
      for (const socket of slow) expect(await firstData(socket)).toContain('100 Continue')
      await expect.poll(() => begun.mock.calls.length).toBe(200)
      expect((await put(form(1_000_000))).status).toBe(200)
      const answered = slow.map(firstData)
      vi.advanceTimersByTime(9_900)
      for (const socket of slow) socket.write('c')
      // One byte moves the deadline by almost nothing.
      vi.advanceTimersByTime(200)
      for (const socket of slow) socket.write('c')
      for (const answer of answered) {
        expect(await answer).toMatch(/ 422 [\s\S]*Dosya çok yavaş geliyor\. Bağlantını kontrol edip yeniden dene\./)
      }
      expect((await put(form(10), {}, senders[0])).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  it('[FILE-19] of one user are taken one at a time, and a broken connection frees the slot', async () => {
    const begun = vi.spyOn(BodyBuffers.prototype, 'open')
    const slow = await beginRequest(['content-length: 1000000'])
    await expect.poll(() => begun.mock.calls.length).toBe(1)
    expect((await put(form(10))).status).toBe(503)
    expect((await put(form(10), {}, members[1])).status).toBe(200)
    slow.destroy()
    await expect.poll(async () => (await put(form(10))).status).toBe(200)
  })
})
