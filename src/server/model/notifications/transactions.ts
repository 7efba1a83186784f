import { sql } from 'kysely'
import { MAX_NOTIFICATIONS_PER_TAB } from '../../../shared/notifications/limits.ts'
import type { Notification } from '../../../shared/notifications/notification.ts'
import {
  type NotificationTab,
  rootAdminTabs,
  type SiteNotificationType,
  type StoredNotificationType,
  tabOf,
} from '../../../shared/notifications/rules.ts'
import type { MessageId, RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { userStream } from '../../kernel/database/events/streams.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { rootAdmins, type UserRow, userById } from '../accounts/queries.ts'
import { hasBlocked } from '../relations/queries.ts'
import { insertRow, query } from '../schema/query.ts'
import { clearTab } from './clear-tab.ts'
import { NotificationCounts } from './counts.ts'
import { addToGroup, findUnreadGroup, type NotificationRow, startGroup, takeFromGroup } from './gather.ts'
import { excerpt } from './queries.ts'
import { removeFromAll, removeRows } from './remove-rows.ts'
import { deleteOldest, deleteRows, groupOf, type RowToChange } from './rows.ts'

/** What a user is notified of. */
export interface NotificationInput {
  type: StoredNotificationType
  /** Who has done it. */
  senderId: UserId
  /** The text of the message, or `voice` or `video` for a call. */
  content?: string
  roomId?: RoomId
  /** The room's message that mentions the user. Its text is kept there alone. */
  messageId?: MessageId
  postId?: number
  /** The id by which `removeRequestNotifications` finds it: of a follower, a request about money, a call or a comment. */
  requestId?: number
}

/** What a notification asks, by the id of what is asked. */
type NotificationRequest = { type: StoredNotificationType; requestId: number }

const insertNotificationRow = insertRow('notification', [
  'recipientId',
  'id',
  'tab',
  'type',
  'senderId',
  'senderCount',
  'groupId',
  'requestId',
  'read',
  'content',
  'roomId',
  'messageId',
  'postId',
  'createdAt',
])
const rowsOfRequest = query<NotificationRequest>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['recipientId', 'id', 'tab', 'read'])
    .where('type', '=', p('type'))
    .where('requestId', '=', p('requestId')),
)
const rowOfRequest = query<NotificationRequest & { recipientId: UserId }>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['id', 'tab', 'read'])
    .where('type', '=', p('type'))
    .where('requestId', '=', p('requestId'))
    .where('recipientId', '=', p('recipientId')),
)

const rowsFromSender = query<{ recipientId: UserId; senderId: UserId }>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['id', 'tab', 'read'])
    .where('recipientId', '=', p('recipientId'))
    .where('senderId', '=', p('senderId')),
)
const groupsWithSender = query<{ recipientId: UserId; senderId: UserId }>()((db, p) =>
  db
    .selectFrom('notificationSender as counted')
    .innerJoin('notification', (join) =>
      join
        .onRef('notification.recipientId', '=', 'counted.recipientId')
        .onRef('notification.id', '=', 'counted.notificationId'),
    )
    .selectAll('notification')
    .where('counted.recipientId', '=', p('recipientId'))
    .where('counted.senderId', '=', p('senderId')),
)
const ownerOfPost = query<{ postId: number }>()((db, p) =>
  db
    .selectFrom('post')
    .innerJoin('user', 'user.id', 'post.userId')
    .select(['user.id', 'user.username'])
    .where('post.id', '=', p('postId')),
)
const rowsOfPost = query<{ postId: number }>()((db, p) =>
  db.selectFrom('notification').select(['recipientId', 'id', 'tab', 'read']).where('postId', '=', p('postId')),
)
const rowsOfMessages = query<{ ids: string }>()((db, p) =>
  db
    .selectFrom('notification')
    .select(['recipientId', 'id', 'tab', 'read'])
    .where('messageId', 'in', sql<MessageId>`(select value from json_each(${p('ids')}))`),
)

/**
 * Notifies a user. Nobody is notified of what they do themselves, or of what somebody does whom they have blocked or who is
 * ghost-banned; only requests about money reach the root admins. Likes and comments of one post, and new followers, are
 * one notification as long as it is unread.
 */
export function addNotification(tx: Transaction, recipientId: UserId, input: NotificationInput): void {
  const { type, senderId, postId = null } = input
  const recipient = tx.cached.get(userById, { id: recipientId })
  const sender = tx.cached.get(userById, { id: senderId })
  if (!recipient || !sender || recipientId === senderId || recipient.nameReleasedAt !== null) return
  if (hasBlocked(tx.cached, recipientId, senderId) || isGhostAction(sender, type)) return
  const group = findUnreadGroup(tx, recipientId, type, groupOf(type, postId))
  if (group) {
    const row = addToGroup(tx, group, senderId)
    if (row) emitNotification(tx, row, { recipient, sender, counts: new NotificationCounts(tx, recipientId) })
  } else insertNotification(tx, { recipient, sender, input })
}

/** Whether nobody learns of it, because a ghost-banned user does it. */
function isGhostAction({ isGhost }: UserRow, type: StoredNotificationType): boolean {
  return isGhost === 1 && !rootAdminTabs.includes(tabOf(type))
}

/** Notifies a user in the name of the site: nobody is named as the sender, and no block hides it. */
export function addSiteNotification(
  tx: Transaction,
  recipientId: UserId,
  input: { type: SiteNotificationType; content: string; requestId: number },
): void {
  const recipient = tx.get(userById, { id: recipientId })
  if (!recipient || recipient.nameReleasedAt !== null) return
  insertNotification(tx, { recipient, sender: recipient, input: { ...input, senderId: recipientId } })
}

/** Notifies all root admins of a request that any of them may answer. */
export function notifyRootAdmins(tx: Transaction, input: NotificationInput): void {
  for (const { id } of tx.all(rootAdmins)) addNotification(tx, id, input)
}

/** A user takes back what a gathered notification counts: a like, a follow, or the last of their comments on a post. */
export function removeNotificationSender(
  tx: Transaction,
  recipientId: UserId,
  { type, senderId, postId }: Pick<NotificationInput, 'type' | 'senderId' | 'postId'>,
): void {
  const sender = tx.cached.get(userById, { id: senderId })
  if (!sender || isGhostAction(sender, type)) return
  const group = findUnreadGroup(tx, recipientId, type, groupOf(type, postId ?? null))
  if (group) takeSender(tx, group, senderId)
}

/**
 * A request is answered or withdrawn: its notification goes from all who have it, unless a ghost-banned user withdraws it.
 * @param actorId null: the site
 */
export function removeRequestNotifications(
  tx: Transaction,
  request: NotificationRequest,
  actorId: UserId | null,
): void {
  for (const row of tx.all(rowsOfRequest, request))
    if (mayLearnOf(tx, row.recipientId, request, actorId)) emitRemoval(tx, row.recipientId, request, row)
}

/** The same for one recipient, who gets the event also when the notification is removed already. */
export function removeRequestNotification(
  tx: Transaction,
  request: NotificationRequest,
  recipientId: UserId,
  actorId: UserId,
): void {
  if (mayLearnOf(tx, recipientId, request, actorId))
    emitRemoval(tx, recipientId, request, tx.get(rowOfRequest, { ...request, recipientId }) ?? null)
}

/** Whether the recipient may learn that the actor takes a notification back: one's own acts reach ghosts too. */
function mayLearnOf(
  tx: Transaction,
  recipientId: UserId,
  { type }: NotificationRequest,
  actorId: UserId | null,
): boolean {
  const actor = actorId === null ? undefined : tx.cached.get(userById, { id: actorId })
  return !actor || actorId === recipientId || !isGhostAction(actor, type)
}

/** Whether the recipient has a notification of this request. */
export function hasRequestNotification(tx: Transaction, request: NotificationRequest, recipientId: UserId): boolean {
  return tx.get(rowOfRequest, { ...request, recipientId }) !== undefined
}

/** A user has blocked another: what the other has done is not shown any more. */
export function removeNotificationsFrom(tx: Transaction, recipientId: UserId, senderId: UserId): void {
  for (const group of tx.all(groupsWithSender, { recipientId, senderId })) takeSender(tx, group, senderId)
  removeRows(tx, recipientId, tx.all(rowsFromSender, { recipientId, senderId }))
}

/** A post is gone or archived: everybody's notifications of it are removed. */
export function removePostNotifications(tx: Transaction, postId: number): void {
  removeFromAll(tx, tx.all(rowsOfPost, { postId }))
}

/** Messages of rooms are deleted: the mentions in them are removed. */
export function removeMentions(tx: Transaction, messageIds: readonly MessageId[]): void {
  removeFromAll(tx, tx.all(rowsOfMessages, { ids: JSON.stringify(messageIds) }))
}

/** Removes all notifications of a user in some tabs. */
export function clearNotificationTabs(tx: Transaction, userId: UserId, tabs: readonly NotificationTab[]): void {
  for (const tab of tabs) clearTab(tx, userId, { tab, upTo: tx.now, isRemoved: true })
}

function emitRemoval(
  tx: Transaction,
  recipientId: UserId,
  request: NotificationRequest,
  row: RowToChange | null,
): void {
  const unread = deleteRows(tx, recipientId, row ? [row] : []).unread()
  const payload = { ...request, id: row?.id ?? null, unread }
  tx.emit({ stream: userStream(recipientId), name: 'removeNotification', payload })
}

/** Counts a sender off a gathered notification, and removes it with the last one. */
function takeSender(tx: Transaction, group: NotificationRow, senderId: UserId): void {
  const { recipientId } = group
  const row = takeFromGroup(tx, group, senderId)
  if (row === null) return
  if (row === 'empty') {
    removeRows(tx, recipientId, [group])
    return
  }
  const recipient = tx.get(userById, { id: recipientId })
  const sender = tx.get(userById, { id: row.senderId })
  if (recipient && sender)
    emitNotification(tx, row, { recipient, sender, counts: new NotificationCounts(tx, recipientId) })
}

function insertNotification(
  tx: Transaction,
  { recipient, sender, input }: { recipient: UserRow; sender: UserRow; input: NotificationInput },
): void {
  const { type, postId = null, messageId = null, roomId = null, requestId = null } = input
  const content = excerpt(input.content ?? '')
  const tab = tabOf(type)
  const counts = new NotificationCounts(tx, recipient.id)
  const id = counts.nextId()
  const isFull = counts.total(tab) >= MAX_NOTIFICATIONS_PER_TAB
  const removedId = isFull ? deleteOldest(tx, recipient.id, tab, counts) : null
  const row: NotificationRow = {
    recipientId: recipient.id,
    id,
    tab,
    type,
    senderId: sender.id,
    senderCount: 1,
    groupId: groupOf(type, postId),
    requestId,
    read: 0,
    content: messageId === null ? content : '',
    roomId,
    messageId,
    postId,
    createdAt: tx.now,
  }
  tx.run(insertNotificationRow, row)
  counts.change(tx, tab, { total: 1, unread: 1, lastId: id })
  if (row.groupId !== null) startGroup(tx, row)
  emitNotification(tx, { ...row, content }, { recipient, sender, counts, removedId })
}

interface Emission {
  recipient: UserRow
  sender: UserRow
  counts: NotificationCounts
  removedId?: number | null
}

function emitNotification(
  tx: Transaction,
  row: NotificationRow,
  { recipient, sender, counts, removedId = null }: Emission,
): void {
  const { tab: _tab, groupId: _groupId, ...shown } = row
  const owner = row.postId === null ? undefined : tx.get(ownerOfPost, { postId: row.postId })
  const notification: Notification = {
    ...shown,
    senderUsername: sender.username,
    recipientUsername: recipient.username,
    senderAvatarUrl: sender.isGuest === 1 ? null : sender.avatarUrl,
    senderGender: sender.gender,
    senderIsGuest: sender.isGuest === 1,
    read: row.read === 1,
    messageSender: row.messageId === null ? null : sender.username,
    postOwnerId: owner?.id ?? null,
    postOwnerUsername: owner?.username ?? null,
  }
  const payload = { ...notification, unread: counts.unread(), removedId }
  tx.emit({ stream: userStream(recipient.id), name: 'newNotification', payload, actorId: sender.id })
}
