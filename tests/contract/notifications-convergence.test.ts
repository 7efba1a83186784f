import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EventHandlers } from '../../src/client/core/live/event-handlers.ts'
import { FakeEnvironment, flushPromises } from '../../src/client/core/platform/testing/fake-environment.ts'
import { NotificationStore } from '../../src/client/features/notifications/notification-store.ts'
import { initialNotifications } from '../../src/server/features/notifications/notify-connection.ts'
import { decodeEventPayload } from '../../src/server/kernel/database/events/logged-event.ts'
import { userStream } from '../../src/server/kernel/database/events/streams.ts'
import { type Transaction, WriterTransaction } from '../../src/server/kernel/database/transaction.ts'
import { toUserSummary, userById } from '../../src/server/model/accounts/queries.ts'
import { listNotifications, unreadCounts } from '../../src/server/model/notifications/queries.ts'
import {
  addNotification,
  clearNotificationTabs,
  hasRequestNotification,
  removeNotificationSender,
  removeNotificationsFrom,
  removePostNotifications,
  removeRequestNotification,
} from '../../src/server/model/notifications/transactions.ts'
import { openTestDatabase, type TestDatabase } from '../../src/server/testing/fixtures/test-database.ts'
import { NOTIFICATIONS_PER_PAGE } from '../../src/shared/notifications/limits.ts'
import { notificationTabs } from '../../src/shared/notifications/rules.ts'

let database: TestDatabase
let tx: WriterTransaction
let viewer: number
let others: number[]
let opened: ReturnType<typeof openTab>

beforeEach(async () => {
  database = await openTestDatabase()
  tx = new WriterTransaction(database.db)
  viewer = database.addMember('ada')
  others = ['can', 'deniz', 'ece'].map((name) => database.addMember(name))
})
afterEach(() => database.close())

const who = fc.nat(2)
const post = fc.nat(27)
const tab = fc.constantFrom('mention', 'dmCall', 'other')
/** What may happen next. */
const happening = fc.oneof(
  fc.record({
    is: fc.constantFrom('mention', 'call', 'request', 'follower', 'answer', 'unfollow', 'block', 'rename'),
    who,
  }),
  fc.record({ is: fc.constantFrom('like', 'comment', 'unlike'), who, post }),
  fc.record({ is: fc.constant('postGone'), post }),
  fc.record({ is: fc.constantFrom('read', 'remove'), at: fc.nat(30) }),
  fc.record({ is: fc.constantFrom('readTab', 'removeTab'), tab, minutesAgo: fc.nat(5) }),
  fc.record({ is: fc.constantFrom('becomePublic', 'loadMore', 'holdPage', 'answerPage', 'reconnect') }),
)
type Happening = { is: string; who?: number; post?: number; at?: number; tab?: string; minutesAgo?: number }

/** What a tab of the viewer has: a store, the pages that it waits for, and the events up to a cursor. */
function openTab() {
  const events = new EventHandlers(new FakeEnvironment())
  const pending: (() => void)[] = []
  const store = new NotificationStore(events, (ofTab, before) => {
    const page = listNotifications(database.read, viewer, ofTab, database.clock.now, before ?? undefined)
    const answer = { success: true as const, ...page, unread: unreadCounts(database.read, viewer) }
    return new Promise((resolve) => void pending.push(() => resolve(answer)))
  })
  const sayHello = (): void => {
    const user = database.read.get(userById, { id: viewer })
    if (user)
      events.deliver('initialNotifications', initialNotifications(database.read, user, database.clock.now), null)
  }
  return { events, store, pending, sayHello }
}

/** What happens in the writer, by transactions or by commands of the viewer. */
function change(step: Happening, idsInTab: readonly number[]): void {
  const senderId = others[step.who ?? 0] ?? 0
  const postId = (step.post ?? 0) + 1
  const transactions: Record<string, (t: Transaction) => void> = {
    mention: (t) => addNotification(t, viewer, { type: 'mention', senderId, roomId: 1, messageId: 999, content: '' }),
    call: (t) => addNotification(t, viewer, { type: 'dmCall', senderId, content: 'video' }),
    request: (t) => {
      const request = { type: 'follow', requestId: senderId } as const
      // One request has one notification.
      if (!hasRequestNotification(t, request, viewer)) addNotification(t, viewer, { ...request, senderId })
    },
    follower: (t) => addNotification(t, viewer, { type: 'follower', senderId }),
    like: (t) => addNotification(t, viewer, { type: 'like', senderId, postId }),
    comment: (t) => addNotification(t, viewer, { type: 'comment', senderId, postId }),
    answer: (t) => removeRequestNotification(t, { type: 'follow', requestId: senderId }, viewer, viewer),
    unlike: (t) => removeNotificationSender(t, viewer, { type: 'like', senderId, postId }),
    unfollow: (t) => removeNotificationSender(t, viewer, { type: 'follower', senderId }),
    block: (t) => removeNotificationsFrom(t, viewer, senderId),
    postGone: (t) => removePostNotifications(t, postId),
    becomePublic: (t) => clearNotificationTabs(t, viewer, ['follow']),
  }
  tx.begin(database.clock.now)
  transactions[step.is]?.(tx)
  publish()
  const actor = { userId: viewer, sessionId: viewer }
  const isRemoved = step.is.startsWith('remove')
  const upTo = database.clock.now - (step.minutesAgo ?? 0) * 60_000
  if (step.at !== undefined) {
    const notificationId = idsInTab[step.at] ?? 1
    database.run({ command: 'markNotificationRead', actor, input: { notificationId, isRemoved } })
  }
  if (step.tab) database.run({ command: 'markTabRead', actor, input: { tab: step.tab, upTo, isRemoved } })
  // The events of the commands.
  tx.begin(database.clock.now)
  publish()
}

/** Commits, and sends the viewer's events. */
function publish(): void {
  for (const event of tx.commit())
    if (event.stream === userStream(viewer)) opened.events.deliver(event.name, decodeEventPayload(event), event.seq)
}

function run(step: Happening): void {
  change(
    step,
    Object.values(opened.store.lists).flatMap(({ list }) => list.peek()?.items.map(({ id }) => id) ?? []),
  )
  if (step.is === 'rename') rename(others[step.who ?? 0] ?? 0)
  if (step.is === 'reconnect') opened.sayHello()
  if (step.is !== 'loadMore' && step.is !== 'holdPage') return
  for (const each of notificationTabs) {
    const list = opened.store.lists[each]
    const next = list.list.peek()?.next
    if (next) void list.load(next)
  }
}

function rename(userId: number): void {
  const username = `ad${database.clock.now}`
  // By another connection than that of `tx`, which keeps rows that it has read.
  database.writerDb.prepare('update user set username = ? where id = ?').run(username, userId)
  const row = database.read.get(userById, { id: userId })
  if (row) opened.events.deliver('userProfileUpdated', { user: toUserSummary(row, 0) }, null)
}

describe.each([
  ['20 sequences', 20, {}],
  ['60 sequences', 60, { tags: 'deep' }],
])('after any of %s of events', (_, numRuns, options) => {
  it('[NOTE-21] an open list equals a new one', options, async () => {
    const steps = fc.array(happening, { maxLength: 60, minLength: 20 })
    const property = fc.asyncProperty(steps, async (all) => {
      startTab()
      for (const step of all) {
        database.clock.now += 60_000
        run(step)
        // Some answers come later than the events after them.
        if (step.is !== 'holdPage') await answerPages()
      }
      await answerPages()
      expectConvergence()
    })
    await fc.assert(property, { numRuns })
  })
})

/** A tab with more than a page in two tabs of its panel. */
function startTab(): void {
  database.db.exec('delete from notification; delete from notificationSender; delete from notificationCount')
  opened = openTab()
  opened.sayHello()
  for (let n = 0; n < 45; n++) run({ is: 'mention', who: n % 3 })
  for (let n = 0; n < 50; n++) run({ is: 'like', who: n % 3, post: n % 25 })
  opened.sayHello()
}

async function answerPages(): Promise<void> {
  for (const answer of opened.pending.splice(0)) answer()
  await flushPromises()
}

function expectConvergence(): void {
  const { lists, unread } = opened.store
  expect(unread.peek()).toEqual(unreadCounts(database.read, viewer))
  for (const each of notificationTabs) {
    const stale = lists[each].list.peek()
    const fresh = listAll(each)
    expect(stale?.items).toEqual(stale?.next === null ? fresh : fresh.slice(0, stale?.items.length))
  }
}

/** Every notification of a tab, page by page. */
function listAll(ofTab: (typeof notificationTabs)[number]) {
  const all = []
  for (let before: string | null | undefined; before !== null; ) {
    const page = listNotifications(database.read, viewer, ofTab, database.clock.now, before)
    expect(page.notifications.length).toBeLessThanOrEqual(NOTIFICATIONS_PER_PAGE)
    all.push(...page.notifications)
    before = page.next
  }
  return all
}
