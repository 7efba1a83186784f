import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RequestFilter, ReviewedRequest } from '../../../../shared/wallet/requests/protocol.ts'
import { flushPromises } from '../../../core/platform/testing/fake-environment.ts'
import { ReviewList } from './reviews.ts'

const PAGE_SIZE = 3

function reviewed(id: number): ReviewedRequest {
  const person = { userId: 1, username: 'ada', avatarUrl: null, gender: null }
  const account = { accountName: 'Ada Yılmaz', iban: null }
  const decision = { status: 'pending' as const, createdAt: Math.ceil(id / 2), decidedAt: null, decidedBy: null }
  return { id, kind: 'star', amount: 50, ...person, ...account, ...decision }
}

/** The server's list, of which a page is read at once and may arrive later. */
class ReviewServer {
  readonly requests: ReviewedRequest[] = []

  page({ status }: RequestFilter, before: string | null) {
    const ordered = this.requests
      .filter((request) => status === undefined || request.status === status)
      .filter(({ id }) => before === null || id < Number(before))
      .toSorted((a, b) => b.id - a.id)
    const items = ordered.slice(0, PAGE_SIZE)
    return { items, next: ordered.length > PAGE_SIZE ? String(items.at(-1)?.id) : null }
  }

  create(): void {
    this.requests.push(reviewed(this.requests.length + 1))
  }

  decide(index: number, status: 'approved' | 'rejected') {
    const at = index % Math.max(this.requests.length, 1)
    const found = this.requests[at]
    if (found?.status !== 'pending') return null
    const decision = { status, decidedBy: 'Zeynep', decidedAt: 9 }
    this.requests[at] = { ...found, ...decision }
    return { kind: found.kind, requestId: found.id, ...decision }
  }
}

type Step = 'create' | 'loadMore' | 'answer' | { decide: number; status: 'approved' | 'rejected' }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom('create', 'loadMore', 'answer'),
  fc.record({ decide: fc.nat(20), status: fc.constantFrom('approved', 'rejected') }),
)

/** A list beside its server, whose answers wait until they are let through. */
class OpenList {
  readonly server = new ReviewServer()
  readonly list: ReviewList
  private readonly answers: (() => void)[] = []
  private loads: Promise<unknown>[] = []

  constructor(filter: RequestFilter, first: number) {
    for (let count = 0; count < first; count++) this.server.create()
    this.list = new ReviewList(filter, (asked, before) => {
      const page = this.server.page(asked, before)
      return new Promise((resolve) => this.answers.push(() => resolve(page)))
    })
    this.loads = [this.list.load(null)]
  }

  async take(one: Step): Promise<void> {
    if (one === 'answer') await this.answerAll()
    else if (one === 'loadMore') this.loadMore()
    else if (one === 'create') {
      this.server.create()
      this.loads.push(this.list.refresh())
    } else {
      const decision = this.server.decide(one.decide, one.status)
      if (decision) this.list.decide(decision)
    }
  }

  /** Loads all pages, and returns what is shown then. */
  async finish(): Promise<readonly ReviewedRequest[] | undefined> {
    await this.answerAll()
    while (this.list.list.peek()?.next) {
      this.loadMore()
      await this.answerAll()
    }
    return this.list.list.peek()?.items
  }

  private loadMore(): void {
    const next = this.list.list.peek()?.next
    if (next && this.loads.length === 0) this.loads.push(this.list.load(next))
  }

  private async answerAll(): Promise<void> {
    const settled = Promise.all(this.loads)
    this.loads = []
    let isSettled = false
    void settled.then(() => {
      isSettled = true
    })
    // An answer may lead to another request.
    while (!isSettled) {
      for (const answer of this.answers.splice(0)) answer()
      await flushPromises()
    }
  }
}

it.each([{}, { status: 'pending' }] as RequestFilter[])(
  '[REQUEST-11] an open list by %j that has received events equals a new one',
  async (filter) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(8), fc.array(step, { maxLength: 30 }), async (first, steps) => {
        const open = new OpenList(filter, first)
        for (const one of steps) await open.take(one)
        const expected = open.server.requests.filter(({ status }) => !filter.status || status === filter.status)
        expect(await open.finish()).toEqual(expected.toSorted((a, b) => b.id - a.id))
      }),
    )
  },
)
