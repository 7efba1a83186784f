import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ZERO_POSITION } from './position.ts'
import { type FromWriter, type ToWriter, WriterClient, type WriterTransport } from './writer-client.ts'

let posted: number[]
let client: WriterClient

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'clearTimeout', 'clearImmediate', 'performance'] })
  vi.advanceTimersByTime(1_000)
  posted = []
  let listener: (message: FromWriter) => void = () => {}
  const transport: WriterTransport = {
    post: (message: ToWriter) => {
      if (Array.isArray(message)) posted.push(message.length)
      else listener({ kind: 'databaseOpened', id: message.id, position: ZERO_POSITION })
    },
    onMessage: (given) => {
      listener = given
    },
    ended: Promise.resolve(),
  }
  const options = { file: '', maxQueueLength: 1_000, isOnLiteFs: false, onBatch: () => {}, onError: () => {} }
  client = new WriterClient(options, transport)
  await client.openDatabase({ clockOffsetMs: 0 })
})
afterEach(() => vi.useRealTimers())

function submit(count: number): void {
  for (let i = 0; i < count; i++) void client.submit({ command: 'trimLog', actor: null, input: {}, clientId: null })
}

/** The time until a command that is submitted right after a batch is posted, in milliseconds. */
function measureWait(): number {
  const count = posted.length
  submit(1)
  for (let ms = 0; ; ms++) {
    vi.advanceTimersByTime(ms === 0 ? 0 : 1)
    if (posted.length > count) return ms
  }
}

it('commands wait up to 3, 10 or 20 ms for others, by the size of the last batch', () => {
  expect(measureWait()).toBe(0)
  for (const [size, waitMs] of [
    [1, 3],
    [2, 10],
    [7, 10],
    [8, 20],
    [31, 20],
  ] as const) {
    vi.advanceTimersByTime(1_000)
    submit(size)
    vi.advanceTimersByTime(0)
    expect(posted.at(-1)).toBe(size)
    expect(measureWait()).toBe(waitMs)
  }
})

it('32 commands are posted at once, also in a window', () => {
  submit(8)
  vi.advanceTimersByTime(0)
  submit(32)
  vi.advanceTimersByTime(0)
  expect(posted).toEqual([8, 32])
})
