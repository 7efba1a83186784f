import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MAX_GATHERED_SENDERS,
  MAX_NOTIFICATIONS_PER_TAB,
  NOTIFICATION_RETENTION_MS,
} from '../../../shared/notifications/limits.ts'
import { type NotificationTab, notificationTypes, rootAdminTabs } from '../../../shared/notifications/rules.ts'
import { commands } from '../../features/notifications/commands.ts'
import { initialNotifications } from '../../features/notifications/notify-connection.ts'
import { decodeEventPayload } from '../../kernel/database/events/logged-event.ts'
import { type Transaction, WriterTransaction } from '../../kernel/database/transaction.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { userById } from '../accounts/queries.ts'
import { onUserRemoved } from '../sessions/transactions.ts'
import { listNotifications } from './queries.ts'
import {
  addNotification,
  type NotificationInput,
  notifyRootAdmins,
  removeNotificationSender,
  removePostNotifications,
  removeRequestNotification,
  removeRequestNotifications,
} from './transactions.ts'

let database: TestDatabase
let tx: WriterTransaction
let ada: number
let can: number
let deniz: number

beforeEach(async () => {
  database = await openTestDatabase()
  tx = new WriterTransaction(database.db, commands.hooks)
  ada = database.addMember('ada')
  can = database.addMember('can')
  deniz = database.addMember('deniz')
})
afterEach(() => database.close())

/** Runs the work in a transaction and returns its events, without the counts. */
function commit(work: (tx: Transaction) => void) {
  database.clock.now += 1_000
  tx.begin(database.clock.now)
  // The events of the writer's commands come first.
  tx.commit()
  tx.begin(database.clock.now)
  work(tx)
  return tx.commit().map((event) => {
    const { unread: _, ...payload } = decodeEventPayload(event) as Record<string, unknown>
    return { stream: event.stream, name: event.name, ...payload }
  })
}
const add = (recipientId: number, input: NotificationInput) => commit((t) => addNotification(t, recipientId, input))
const like = (senderId: number, postId = 7): NotificationInput => ({ type: 'like', senderId, postId })
const listed = (userId: number, tab: NotificationTab = 'other') =>
  listNotifications(database.read, userId, tab, database.clock.now).notifications
const unreadOf = (userId: number) => {
  const user = database.read.get(userById, { id: userId })
  if (!user) throw new Error('no such user')
  return initialNotifications(database.read, user, database.clock.now).unread
}

describe('gathered notifications', () => {
  it('[NOTE-06] are one for each post and type, with the latest sender', () => {
    add(ada, like(can))
    expect(add(ada, like(deniz))).toMatchObject([{ name: 'newNotification', id: 1, senderId: deniz, senderCount: 2 }])
    add(ada, { ...like(can), type: 'comment' })
    add(ada, like(can, 8))
    add(ada, { type: 'follower', senderId: can })
    add(ada, { type: 'follower', senderId: deniz })
    expect(listed(ada).map(({ type, postId, senderCount }) => [type, postId, senderCount])).toEqual([
      ['follower', null, 2],
      ['like', 8, 1],
      ['comment', 7, 1],
      ['like', 7, 2],
    ])
    expect(unreadOf(ada).other).toBe(4)
  })

  it('[NOTE-06] count a sender once, and at most 100 senders', () => {
    add(ada, like(can))
    expect(add(ada, like(can))).toEqual([])
    for (let n = 0; n < MAX_GATHERED_SENDERS; n++) add(ada, like(database.addMember(`beğenen${n}`)))
    expect(listed(ada)).toMatchObject([{ senderUsername: 'beğenen99', senderCount: MAX_GATHERED_SENDERS }])
    const senders = database.db.prepare('select count(*) as count from notificationSender').get()
    expect(senders).toEqual({ count: MAX_GATHERED_SENDERS })
  })

  it('[NOTE-06] begin anew once they are read', () => {
    add(ada, like(can))
    database.run({
      command: 'markNotificationRead',
      actor: { userId: ada, sessionId: ada },
      input: { notificationId: 1, isRemoved: false },
    })
    add(ada, like(deniz))
    expect(listed(ada)).toMatchObject([
      { id: 2, senderCount: 1, read: false },
      { id: 1, senderCount: 1, read: true },
    ])
  })

  it('[NOTE-07] count off whoever takes it back, and go with the last one', () => {
    add(ada, like(can))
    add(ada, like(deniz))
    const takeBack = (senderId: number) => commit((t) => removeNotificationSender(t, ada, like(senderId)))
    expect(takeBack(ada)).toEqual([])
    expect(takeBack(deniz)).toMatchObject([{ name: 'newNotification', id: 1, senderId: can, senderCount: 1 }])
    expect(takeBack(can)).toMatchObject([{ name: 'notificationsRead', notificationIds: [1], isRemoved: true }])
    expect(listed(ada)).toEqual([])
    expect(unreadOf(ada).other).toBe(0)
  })

  it('[NOTE-28] name the owner of their post, live and in the list', () => {
    database.db
      .prepare(
        `insert into post (id, userId, type, path, sizeBytes, description, isArchived, createdAt, likeCount, commentCount,
           score, isReported, isPurging) values (7, ?, 'photo', 'resim.webp', 1, '', 0, 1, 0, 0, 0, 0, 0)`,
      )
      .run(ada)
    const owner = { postId: 7, postOwnerId: ada, postOwnerUsername: 'ada' }
    expect(add(deniz, { type: 'commentMention', senderId: can, postId: 7, content: 'bak' })).toMatchObject([owner])
    expect(listed(deniz)).toMatchObject([{ ...owner, content: 'bak' }])
    expect(add(deniz, { type: 'follower', senderId: can })).toMatchObject([{ postOwnerId: null }])
  })

  it('[NOTE-17] go with their post, for everybody', () => {
    add(ada, like(can))
    add(deniz, { type: 'commentMention', senderId: can, postId: 7, requestId: 3 })
    add(ada, like(can, 8))
    const events = commit((t) => removePostNotifications(t, 7))
    expect(events).toMatchObject([{ stream: `user:${ada}` }, { stream: `user:${deniz}` }])
    expect([listed(ada).map(({ postId }) => postId), listed(deniz)]).toEqual([[8], []])
  })

  it('[NOTE-02] are not made by oneself, by blocked users or for unknown ones', () => {
    database.db.prepare('insert into block (blockerId, blockedId, createdAt) values (?, ?, 1)').run(ada, can)
    for (const [recipientId, senderId] of [
      [ada, ada],
      [ada, can],
      [999, can],
    ] as const)
      expect(add(recipientId, like(senderId))).toEqual([])
    expect(add(can, like(ada))).toHaveLength(1)
  })
})

describe('what a ghost-banned user does', () => {
  const types = notificationTypes.filter((type) => type !== 'dm' && !rootAdminTabs.includes(type as NotificationTab))

  it.each(types)('[GHOSTD-12] makes no notification of type %s, not even for root admins', (type) => {
    database.db.prepare('update user set isGhost = 1 where id = ?').run(can)
    const root = database.addMember('kök', 'rootadmin')
    const input = { type, senderId: can, postId: 7 } as NotificationInput // each stored type but requests
    const before = [unreadOf(ada), unreadOf(root)]
    expect([...add(ada, input), ...add(root, input)]).toEqual([])
    expect([unreadOf(ada), unreadOf(root)]).toEqual(before)
    expect(database.db.prepare('select count(*) from notification').pluck().get()).toBe(0)
  })

  it('[GHOSTD-12] takes no like back, joins no others in a count, and asks root admins about money', () => {
    add(ada, like(can))
    database.db.prepare('update user set isGhost = 1 where id = ?').run(can)
    expect(commit((t) => removeNotificationSender(t, ada, like(can)))).toEqual([])
    add(ada, like(deniz))
    expect(listed(ada)).toMatchObject([{ senderCount: 2 }])
    add(ada, { type: 'follower', senderId: deniz })
    expect(add(ada, { type: 'follower', senderId: can })).toEqual([])
    const root = database.addMember('kök', 'rootadmin')
    commit((t) => notifyRootAdmins(t, { type: 'starRequest', senderId: can, requestId: 3 }))
    expect(listed(root, 'starRequest')).toMatchObject([{ requestId: 3 }])
  })

  it('[GHOSTD-12] takes no request back, and answers those of others', () => {
    const requestOf = (requestId: number) => ({ type: 'follow', requestId }) as const
    add(ada, { ...requestOf(can), senderId: can })
    add(can, { ...requestOf(deniz), senderId: deniz })
    database.db.prepare('update user set isGhost = 1 where id = ?').run(can)
    expect(commit((t) => removeRequestNotification(t, requestOf(can), ada, can))).toEqual([])
    expect(commit((t) => removeRequestNotifications(t, requestOf(can), can))).toEqual([])
    expect(listed(ada, 'follow')).toMatchObject([{ senderId: can }])
    expect(commit((t) => removeRequestNotification(t, requestOf(deniz), can, can))).toHaveLength(1)
    expect(commit((t) => removeRequestNotification(t, requestOf(can), ada, ada))).toHaveLength(1)
    expect([listed(ada, 'follow'), listed(can, 'follow')]).toEqual([[], []])
  })

  it('[GHOSTD-12] does not keep others from notifying the user', () => {
    database.db.prepare('update user set isGhost = 1 where id = ?').run(can)
    expect(add(can, like(ada))).toHaveLength(1)
  })
})

describe('the bounds', () => {
  const call = (senderId: number): NotificationInput => ({ type: 'dmCall', senderId, content: 'voice' })

  it('[NOTE-08] displace the oldest read notification of the tab, or the oldest one', () => {
    commit((t) => {
      for (let n = 0; n < MAX_NOTIFICATIONS_PER_TAB; n++) addNotification(t, ada, call(can))
    })
    add(ada, { type: 'follow', senderId: can, requestId: can })
    database.run({
      command: 'markNotificationRead',
      actor: { userId: ada, sessionId: ada },
      input: { notificationId: 5, isRemoved: false },
    })
    expect(add(ada, call(deniz))).toMatchObject([{ name: 'newNotification', removedId: 5 }])
    expect(add(ada, call(deniz))).toMatchObject([{ name: 'newNotification', removedId: 1 }])
    expect(unreadOf(ada)).toMatchObject({ dmCall: MAX_NOTIFICATIONS_PER_TAB, follow: 1 })
    const { count } = database.db.prepare('select count(*) as count from notification').get() as { count: number }
    expect(count).toBe(MAX_NOTIFICATIONS_PER_TAB + 1)
  })

  it('[NOTE-80] of a sender with many unread ones displace their own, and nobody else’s', () => {
    add(ada, call(deniz))
    commit((t) => {
      for (let n = 1; n < MAX_NOTIFICATIONS_PER_TAB; n++) addNotification(t, ada, call(can))
    })
    // The flood goes on, and one more of another sender comes.
    expect(add(ada, call(can))).toMatchObject([{ name: 'newNotification', removedId: 2 }])
    expect(add(ada, call(deniz))).toMatchObject([{ name: 'newNotification', removedId: 3 }])
    const ofDeniz = database.db
      .prepare('select id from notification where recipientId = ? and senderId = ?')
      .all(ada, deniz)
    expect(ofDeniz).toEqual([{ id: 1 }, { id: MAX_NOTIFICATIONS_PER_TAB + 2 }])
  })

  it('[NOTE-08] give no id twice, also after the latest one was removed', () => {
    add(ada, call(can))
    database.run({
      command: 'markNotificationRead',
      actor: { userId: ada, sessionId: ada },
      input: { notificationId: 1, isRemoved: true },
    })
    expect(add(ada, call(can))).toMatchObject([{ id: 2 }])
    expect(add(can, call(ada))).toMatchObject([{ id: 1 }])
  })

  it('[NOTE-09] delete what is older than 90 days, but no request', () => {
    add(ada, call(can))
    add(can, call(ada))
    add(ada, { type: 'follow', senderId: can, requestId: can })
    database.clock.now += NOTIFICATION_RETENTION_MS
    add(ada, call(deniz))
    database.clock.now += 1
    const step = () => database.run({ command: 'deleteOldNotifications' }).answer
    expect([step(), step()]).toEqual([{ removed: 2 }, { removed: 0 }])
    expect(listed(ada, 'dmCall')).toMatchObject([{ senderId: deniz }])
    expect([listed(ada, 'follow').length, listed(can, 'dmCall')]).toEqual([1, []])
    expect([unreadOf(ada).dmCall, unreadOf(can).dmCall]).toEqual([1, 0])
  })

  it('[NOTE-10] cost a user with 10,000 unread notifications the same statements as one with none', () => {
    const insert = database.db.prepare(
      `insert into notification values (?, ?, 'dmCall', 'dmCall', ?, 1, null, null, 0, 'voice', null, null, null, ?)`,
    )
    for (let id = 1; id <= 10_000; id++) insert.run(can, id, deniz, id)
    database.db.prepare("insert into notificationCount values (?, 'dmCall', 10000, 10000, 10000)").run(can)
    const writesOf = (recipientId: number) => {
      const before = tx.writeCount
      add(recipientId, { type: 'mention', senderId: deniz, roomId: 1, messageId: 1, content: 'selam' })
      return tx.writeCount - before
    }
    expect(writesOf(can)).toBe(writesOf(ada))
    const plans = ['createdAt < 5 and (createdAt, id) < (9, 9) order by createdAt desc, id desc'].map((condition) =>
      database.db
        .prepare(
          `explain query plan select id from notification where recipientId = 1 and tab = 'mention' and ${condition}`,
        )
        .all(),
    )
    expect(JSON.stringify(plans)).toContain('notificationByTab')
    expect(JSON.stringify(plans)).not.toContain('TEMP B-TREE')
  })
})

it('[NOTE-19] a guest’s notifications end with the guest, and nobody else’s', () => {
  add(ada, like(can))
  add(can, like(ada))
  commit((t) => t.runHooks(onUserRemoved, { userId: ada, reason: 'guestNameReleased' }))
  expect([listed(ada), listed(can).length, unreadOf(ada).other]).toEqual([[], 1, 0])
  expect(database.db.prepare('select distinct recipientId as id from notificationSender').all()).toEqual([{ id: can }])
})

describe('requests about money', () => {
  it('[NOTE-18] notify all root admins and go from all of them when one has answered', () => {
    const admins = [database.addMember('kök1', 'rootadmin'), database.addMember('kök2', 'rootadmin')]
    const request = { type: 'starRequest', requestId: 4 } as const
    const streams = admins.map((id) => `user:${id}`)
    const added = commit((t) => notifyRootAdmins(t, { ...request, senderId: ada, content: '100' }))
    expect(added.map(({ stream }) => stream)).toEqual(streams)
    expect(admins.map((id) => listed(id, 'starRequest'))).toMatchObject([[{ content: '100' }], [{ content: '100' }]])
    const removed = commit((t) => removeRequestNotifications(t, request, null))
    expect(removed).toMatchObject(
      streams.map((stream) => ({ stream, name: 'removeNotification', requestId: 4, type: 'starRequest', id: 1 })),
    )
    expect(admins.map((id) => listed(id, 'starRequest'))).toEqual([[], []])
    expect(listed(ada, 'starRequest')).toEqual([])
  })

  it('[NOTE-18] are gone for somebody who is no root admin any more', () => {
    const admin = database.addMember('kök', 'rootadmin')
    const other = database.addMember('diğer kök', 'rootadmin')
    commit((t) => notifyRootAdmins(t, { type: 'withdrawalRequest', requestId: 9, senderId: ada }))
    database.run({
      command: 'changeRole',
      actor: { userId: other, sessionId: other },
      input: { username: 'kök', role: 'member' },
    })
    expect([unreadOf(admin).withdrawalRequest, unreadOf(other).withdrawalRequest]).toEqual([0, 1])
    expect(listed(admin, 'withdrawalRequest')).toEqual([])
  })
})
