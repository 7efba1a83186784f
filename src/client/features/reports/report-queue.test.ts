import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../../shared/protocol/result.ts'
import type { ReportGroup } from '../../../shared/reports/report.ts'
import { flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { type GroupPage, ReportQueue } from './report-queue.ts'

const PAGE_SIZE = 3

function groupOf(id: number, openCount: number): ReportGroup {
  return {
    user: {
      id,
      username: `Kişi${id}`,
      gender: null,
      avatarUrl: null,
      isGuest: false,
      role: 'member',
      premiumStatus: 'guest',
      isOnline: false,
      lastLoginPlatform: 'web',
    } as ReportGroup['user'], // the queue reads the id alone
    userIsBanned: false,
    isGone: false,
    openCount,
    decidedCount: 0,
    reporterCount: 1,
    kinds: ['roomMessage'],
    reasons: ['insult'],
    firstAt: 0,
    latestAt: 0,
  }
}

/** The server's queue, of which a page is read at once and may arrive later. */
class QueueServer {
  private readonly openCounts = new Map<number, number>()
  private readonly answers: (() => void)[] = []
  isFailing = false

  set(id: number, openCount: number): { userId: number; openCount: number } {
    this.openCounts.set(id, openCount)
    return { userId: id, openCount }
  }

  open(): ReportGroup[] {
    return [...this.openCounts]
      .filter(([, count]) => count > 0)
      .map(([id, count]) => groupOf(id, count))
      .sort((a, b) => b.openCount - a.openCount || a.user.id - b.user.id)
  }

  fetchPage(before: string | null) {
    const from = before === null ? 0 : Number(before)
    const open = this.open()
    const hasNext = open.length > from + PAGE_SIZE
    const page = { items: open.slice(from, from + PAGE_SIZE), next: hasNext ? String(from + PAGE_SIZE) : null }
    const answer = this.isFailing ? 'disconnected' : page
    return new Promise<Result<GroupPage>>((resolve) => this.answers.push(() => resolve(answer)))
  }

  async answer(): Promise<void> {
    for (const answer of this.answers.splice(0)) answer()
    await flushPromises()
  }

  /** Before the earlier ones. */
  async answerLatest(): Promise<void> {
    this.answers.pop()?.()
    await flushPromises()
  }

  async answerAll(): Promise<void> {
    while (this.answers.length > 0) await this.answer()
  }
}

async function openQueue(...openCounts: number[]) {
  const server = new QueueServer()
  openCounts.forEach((count, index) => void server.set(index + 1, count))
  const queue = new ReportQueue(
    (before) => server.fetchPage(before),
    ({ openCount }) => openCount > 0,
  )
  const loaded = queue.load(null)
  await server.answerAll()
  return { server, queue, failure: await loaded }
}

const idsOf = (queue: ReportQueue) => queue.list.peek()?.items.map(({ user }) => user.id)

describe('the queue of reported users', () => {
  it('[MODUI-07] changes a user in place, and lets new users wait until they are asked for', async () => {
    const { server, queue } = await openQueue(3, 2)
    queue.applyChange(server.set(2, 9))
    queue.applyChange(server.set(7, 5))
    await server.answerAll()
    expect(idsOf(queue)).toEqual([1, 2])
    expect(queue.list.peek()?.items.map(({ openCount }) => openCount)).toEqual([3, 9])
    expect(queue.waitingCount.peek()).toBe(1)
    queue.showWaiting()
    expect(idsOf(queue)).toEqual([2, 7, 1])
    expect(queue.waitingCount.peek()).toBe(0)
  })

  it('[MODUI-07] loses a user whose reports another root admin has decided, at once', async () => {
    const { server, queue } = await openQueue(3, 2)
    queue.applyChange(server.set(1, 0))
    expect(idsOf(queue)).toEqual([2])
    await server.answerAll()
    expect(idsOf(queue)).toEqual([2])
  })

  it('shows its first page while another one is loaded after a change', async () => {
    const { server, queue } = await openQueue(3)
    queue.restart()
    void queue.load(null)
    queue.applyChange(server.set(2, 1))
    await server.answer()
    expect(idsOf(queue)).toEqual([1])
    await server.answerAll()
    expect(idsOf(queue)).toEqual([1, 2])
  })

  it('shows new users at once where the list is empty', async () => {
    const { server, queue } = await openQueue()
    queue.applyChange(server.set(4, 1))
    await server.answerAll()
    expect(idsOf(queue)).toEqual([4])
    expect(queue.waitingCount.peek()).toBe(0)
  })

  it('[MODUI-10] begins anew with another filter, and ignores pages of the earlier one', async () => {
    const { server, queue } = await openQueue(3, 2)
    const earlier = queue.load(null)
    queue.applyChange(server.set(7, 5))
    server.isFailing = true
    queue.restart()
    expect(queue.list.peek()).toBeNull()
    await server.answerAll()
    expect(await earlier).toBeNull()
    expect(queue.list.peek()).toBeNull()
  })

  it('shows each user once where it begins anew while a page is loaded', async () => {
    const { server, queue } = await openQueue(5, 4, 3, 2)
    void queue.load(queue.list.peek()?.next ?? null)
    queue.restart()
    for (const user of [1, 2, 3, 4]) server.set(user, 0)
    server.set(8, 1)
    const again = queue.load(null)
    await server.answerLatest()
    await again
    await server.answerAll()
    expect(idsOf(queue)).toEqual([8])
  })

  it('returns the text of a failed load, and keeps the list when a refresh fails', async () => {
    const { server, queue } = await openQueue(1)
    server.isFailing = true
    const again = queue.load(null)
    await server.answerAll()
    expect(await again).toBe('Şikâyetler alınamadı.')
    queue.applyChange(server.set(2, 1))
    await server.answerAll()
    expect(idsOf(queue)).toEqual([1])
  })

  it('has the users of a fresh fetch after any changes, once the waiting ones are shown', async () => {
    const step = fc.oneof(
      fc.record({ user: fc.integer({ min: 1, max: 6 }), openCount: fc.integer({ min: 0, max: 4 }) }),
      fc.constantFrom('answer' as const, 'show' as const, 'resync' as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { server, queue } = await openQueue(2, 1)
        for (const one of steps) {
          if (one === 'answer') await server.answerAll()
          else if (one === 'show') queue.showWaiting()
          else if (one === 'resync') void queue.reload()
          else queue.applyChange(server.set(one.user, one.openCount))
        }
        await server.answerAll()
        queue.showWaiting()
        const open = new Map(server.open().map((group) => [group.user.id, group.openCount]))
        const listed = queue.list.peek()?.items ?? []
        expect(idsOf(queue)).toEqual(expect.arrayContaining([...open.keys()].slice(0, PAGE_SIZE)))
        for (const { user, openCount } of listed) expect(openCount).toBe(open.get(user.id))
      }),
    )
  })
})
