import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Result } from '../../../shared/protocol/result.ts'
import { flushPromises } from '../platform/testing/fake-environment.ts'
import { LiveList, type PagedItems } from './live-list.ts'

interface Row {
  id: number
  text: string
}
type Page = PagedItems<Row, number>
type Rows = LiveList<Row, number>

/** Requests of the list, answered by hand. */
let requests: { from: number | null; answer: (page: Result<Page>) => Promise<void> }[]
let rows: Rows

function createList(reloadedPages?: number): Rows {
  return new LiveList<Row, number>({
    failureText: () => 'Alınamadı.',
    ...(reloadedPages !== undefined && { reloadedPages }),
    fetchPage: (from) => {
      const { promise, resolve } = Promise.withResolvers<Result<Page>>()
      requests.push({
        from,
        answer: (page) => {
          resolve(page)
          return flushPromises()
        },
      })
      return promise
    },
  })
}

beforeEach(() => {
  requests = []
  rows = createList()
})

const row = (id: number, text = ''): Row => ({ id, text })
const page = (ids: number[], next: number | null = null, cursor?: number): Page => ({
  items: ids.map((id) => row(id)),
  next,
  ...(cursor !== undefined && { cursor }),
})
const answer = async (answered: Result<Page>, at = 0): Promise<void> => requests.splice(at, 1)[0]?.answer(answered)
const shown = () => rows.list.peek()?.items.map(({ id }) => id) ?? null
const add = (id: number, seq: number | null = null) => rows.change((list) => withRow(list, row(id)), seq)
const remove = (id: number, seq: number | null = null) =>
  rows.change((list) => ({ ...list, items: list.items.filter((one) => one.id !== id) }), seq)

/** In its place, the latest first; one behind what is loaded comes with its page. */
function withRow(list: Page, added: Row): Page {
  const isBehind = list.next !== null && added.id < list.next
  const others = list.items.filter(({ id }) => id !== added.id)
  return { ...list, items: isBehind ? others : [...others, added].sort((a, b) => b.id - a.id) }
}

async function loadPages(first: Page, ...later: Page[]): Promise<void> {
  void rows.load(null)
  await answer(first)
  for (const one of later) {
    void rows.load(rows.list.peek()?.next ?? null)
    await answer(one)
  }
}

describe('pages', () => {
  it('follow each other, and a row that moved comes once', async () => {
    await loadPages(page([9, 8], 8), page([8, 7], 7), page([6]))
    expect(rows.list.peek()).toMatchObject({ items: [row(9), row(8), row(7), row(6)], next: null })
  })

  it('stay when a load fails, which says why and can be repeated', async () => {
    const first = rows.load(null)
    await answer('disconnected')
    expect([await first, shown()]).toEqual(['Alınamadı.', null])
    await loadPages(page([9], 9))
    const next = rows.load(9)
    await answer('disconnected')
    expect([await next, shown()]).toEqual(['Alınamadı.', [9]])
    void rows.load(9)
    await answer(page([8]))
    expect(shown()).toEqual([9, 8])
  })

  it('are added once, and not to a list that they do not continue', async () => {
    await loadPages(page([9], 9))
    void rows.load(9)
    void rows.load(9)
    await answer(page([8], 8))
    await answer(page([8], 8))
    expect(shown()).toEqual([9, 8])
    void rows.load(8)
    void rows.load(null)
    await answer(page([20], 20), 1)
    await answer(page([7]))
    expect(shown()).toEqual([20])
  })

  it('replace the list when it is loaded anew, with one request at a time', async () => {
    await loadPages(page([9], 9), page([8]))
    const loads = [rows.load(null), rows.load(null)]
    expect(requests).toHaveLength(1)
    await answer(page([9], 9))
    expect([await Promise.all(loads), shown()]).toEqual([[null, null], [9]])
  })
})

describe('events', () => {
  it('that come while a page is under way apply to it', async () => {
    void rows.load(null)
    add(10)
    remove(8)
    await answer(page([9, 8], 8))
    expect(shown()).toEqual([10, 9])
    void rows.load(8)
    remove(7)
    remove(9)
    await answer(page([7, 6]))
    expect(shown()).toEqual([10, 6])
  })

  it('apply to a page of a region that lags, by the number of the last event that it has', async () => {
    await loadPages(page([9, 8], null, 100))
    remove(9, 101)
    add(10, 102)
    void rows.load(null)
    await answer(page([9, 8], null, 101))
    expect(shown()).toEqual([10, 9, 8])
    void rows.load(null)
    await answer(page([9, 8], null, 100))
    expect(shown()).toEqual([10, 8])
  })

  it('of this tab alone are in the pages that it requests later', async () => {
    await loadPages(page([9, 8], null, 100))
    remove(9)
    void rows.load(null)
    remove(8)
    await answer(page([9, 8], null, 100))
    expect(shown()).toEqual([9])
  })
})

describe('a refresh', () => {
  it('does nothing before the first load, and leaves the list when it fails', async () => {
    await rows.refresh()
    expect(requests).toEqual([])
    await loadPages(page([9]))
    void rows.refresh()
    await answer('disconnected')
    expect(shown()).toEqual([9])
  })

  it('follows a load that is under way, once for any number of events', async () => {
    const loading = rows.load(null)
    void rows.refresh()
    void rows.refresh()
    await answer(page([9]))
    await answer(page([10, 9]))
    expect([await loading, shown(), requests]).toEqual([null, [10, 9], []])
    void rows.refresh()
    void rows.refresh()
    await answer(page([11]))
    await answer(page([12]))
    expect([shown(), requests]).toEqual([[12], []])
  })

  it('[LEDGER-16] keeps the pages behind the first one where it reaches them, and starts over where it does not', async () => {
    await loadPages(page([9, 8], 8), page([7, 6], 6))
    void rows.refresh()
    await answer(page([10, 9], 9))
    expect(rows.list.peek()).toMatchObject(page([10, 9, 8, 7, 6], 6))
    void rows.refresh()
    await answer(page([10, 8], 8))
    expect(shown()).toEqual([10, 8, 7, 6])
    void rows.refresh()
    await answer(page([13, 12], 12))
    expect(rows.list.peek()).toMatchObject(page([13, 12], 12))
  })
})

describe('a reload after missed events', () => {
  it('leaves nothing that may be old, also while a refresh is under way', async () => {
    await loadPages(page([9, 8], 8), page([7, 6], 6))
    void rows.refresh()
    void rows.reload()
    await answer(page([9, 8], 8))
    expect(shown()).toEqual([9, 8, 7, 6])
    await answer(page([9, 8], 8))
    expect(rows.list.peek()).toMatchObject(page([9, 8], 8))
  })

  it('applies the events that the latest of its pages has and another one lacks', async () => {
    rows = createList(2)
    await loadPages(page([9, 8], 8, 100), page([7, 6], null, 100))
    remove(7, 101)
    void rows.reload()
    await answer(page([9, 8], 8, 101))
    await answer(page([7, 6], null, 100))
    expect(shown()).toEqual([9, 8, 6])
  })

  it('fetches as many pages as are shown, up to a number; a load fetches one', async () => {
    rows = createList(3)
    await loadPages(page([9, 8], 8, 100), page([7, 6], 6, 100))
    void rows.reload()
    await answer(page([10, 8], 8, 100))
    add(11, 101)
    // It has the event; the page before it does not.
    await answer(page([7, 5], 5, 101))
    expect(requests).toEqual([])
    expect(rows.list.peek()).toMatchObject({ items: [11, 10, 8, 7, 5].map((id) => row(id)), next: 5 })
    void rows.load(null)
    await answer(page([11, 10], 10, 101))
    expect([shown(), requests]).toEqual([[11, 10], []])
  })
})

it('a reset shows another list, and ignores the pages that are under way', async () => {
  await loadPages(page([9], 9))
  const loads = [rows.load(9), rows.load(null)]
  rows.reset()
  expect(shown()).toBeNull()
  void rows.load(null)
  await answer(page([8]))
  await answer(page([9]))
  expect([await Promise.all(loads), shown()]).toEqual([[null, null], null])
  await answer(page([3]))
  expect(shown()).toEqual([3])
  rows.reset(page([1]))
  expect(shown()).toEqual([1])
})

const PAGE_SIZE = 3

/** Rows with their events; a page is read when it is requested, perhaps late, and may arrive later. */
class RowServer {
  rows: readonly Row[] = [4, 3, 2, 1].map((id) => row(id))
  seq = 0
  private readonly states = [this.rows]
  private readonly answers: (() => void)[] = []
  private readonly hasCursor: boolean

  constructor(hasCursor: boolean) {
    this.hasCursor = hasCursor
  }

  /** @param lag how many events the region does not have yet */
  fetchPage(from: number | null, lag: number): Promise<Page> {
    const cursor = Math.max(0, this.seq - (this.hasCursor ? lag : 0))
    const left = (this.states[cursor] ?? []).filter(({ id }) => from === null || id < from)
    const items = left.slice(0, PAGE_SIZE)
    const next = left.length > PAGE_SIZE ? (items.at(-1)?.id ?? null) : null
    return new Promise((resolve) =>
      this.answers.push(() => resolve({ items, next, ...(this.hasCursor && { cursor }) })),
    )
  }

  set(changed: readonly Row[]): number {
    this.rows = changed
    this.states.push(changed)
    return ++this.seq
  }

  /** Answers the latest request, which may overtake others. */
  async answer(): Promise<void> {
    this.answers.pop()?.()
    await flushPromises()
  }

  async answerAll(): Promise<void> {
    while (this.answers.length > 0) {
      for (const send of this.answers.splice(0)) send()
      await flushPromises()
    }
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constantFrom('add', 'load', 'next', 'answer', 'answerAll', 'touch', 'miss') }),
  fc.record({ do: fc.constantFrom('remove', 'rename'), at: fc.nat(8) }),
)
type Step = { do: string; at?: number }

function take(one: Step, server: RowServer, list: Rows): void {
  const at = (one.at ?? 0) % Math.max(1, server.rows.length)
  const target = server.rows[at]
  if (one.do === 'load') void list.load(null)
  else if (one.do === 'next') {
    const next = list.list.peek()?.next
    if (next) void list.load(next)
  } else if (one.do === 'add') {
    const added = row(Math.max(0, ...server.rows.map(({ id }) => id)) + 1)
    list.change((known) => withRow(known, added), server.set([added, ...server.rows]))
  } else if (one.do === 'remove' && target) {
    const isStaying = ({ id }: Row) => id !== target.id
    const seq = server.set(server.rows.filter(isStaying))
    list.change((known) => ({ ...known, items: known.items.filter(isStaying) }), seq)
  } else if (one.do === 'rename' && target) {
    const text = `${target.text}!`
    const as = (known: Row): Row => (known.id === target.id ? { ...known, text } : known)
    const seq = server.set(server.rows.map(as))
    list.change((known) => ({ ...known, items: known.items.map(as) }), seq)
  } else if (one.do === 'touch') {
    // An event that says nothing but that rows are new.
    server.set([row((server.rows[0]?.id ?? 0) + 1), ...server.rows])
    void list.refresh()
  } else if (one.do === 'miss') {
    server.set(server.rows.filter(({ id }) => id % 2 === 0))
    void list.reload()
  }
}

it.each([{ hasCursor: true }, { hasCursor: false }])(
  'equals a list that is loaded at the end, %o',
  async ({ hasCursor }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.array(fc.nat(2)), async (steps, lags) => {
        // A region that lags cannot say what an event without content means.
        const isLagging = !steps.some((one) => one.do === 'touch' || one.do === 'miss')
        await checkConvergence(new RowServer(hasCursor), steps, isLagging ? lags : [])
      }),
      { numRuns: 300 },
    )
  },
)

async function checkConvergence(server: RowServer, steps: Step[], lags: number[]): Promise<void> {
  const list = new LiveList<Row, number>({
    failureText: () => '',
    fetchPage: (from) => server.fetchPage(from, lags.shift() ?? 0),
  })
  void list.load(null)
  for (const one of steps) {
    if (one.do === 'answer') await server.answer()
    else if (one.do === 'answerAll') await server.answerAll()
    else take(one, server, list)
  }
  await server.answerAll()
  for (let next = list.list.peek()?.next; next; next = list.list.peek()?.next) {
    void list.load(next)
    await server.answerAll()
  }
  expect(list.list.peek()?.items).toEqual(server.rows)
}
