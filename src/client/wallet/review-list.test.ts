import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RequestFilter, ReviewedRequest } from '../../shared/wallet/requests-protocol.ts'
import { flushPromises } from '../live/testing/fake-environment.ts'
import { ReviewList } from './review-list.ts'

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

it.each([{}, { status: 'pending' }] as RequestFilter[])(
  '[REQUEST-11] an open list by %j that has received events equals a new one',
  async (filter) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(8), fc.array(step, { maxLength: 30 }), async (first, steps) => {
        const server = new ReviewServer()
        const create = () => server.requests.push(reviewed(server.requests.length + 1))
        for (let count = 0; count < first; count++) create()
        const answers: (() => void)[] = []
        const list = new ReviewList(filter, (asked, before) => {
          const page = server.page(asked, before)
          return new Promise((resolve) => answers.push(() => resolve(page)))
        })
        const loads: Promise<unknown>[] = [list.load(null)]
        const answerAll = async () => {
          const settled = Promise.all(loads.splice(0))
          let isSettled = false
          void settled.then(() => {
            isSettled = true
          })
          // An answer may lead to another request.
          while (!isSettled) {
            for (const answer of answers.splice(0)) answer()
            await flushPromises()
          }
        }
        for (const each of steps) {
          if (each === 'answer') await answerAll()
          else if (each === 'create') {
            create()
            loads.push(list.refresh())
          } else if (each === 'loadMore') {
            const next = list.list.peek()?.next
            if (next && loads.length === 0) loads.push(list.load(next))
          } else {
            const decision = server.decide(each.decide, each.status)
            if (decision) list.decide(decision)
          }
        }
        await answerAll()
        while (list.list.peek()?.next) {
          loads.push(list.load(list.list.peek()?.next ?? null))
          await answerAll()
        }
        const expected = server.requests.filter(({ status }) => !filter.status || status === filter.status)
        expect(list.list.peek()?.items).toEqual(expected.toSorted((a, b) => b.id - a.id))
      }),
    )
  },
)
