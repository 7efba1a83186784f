import * as v from 'valibot'
import { Id, loggedEvent, PageCursor, route, Text, Time } from '../protocol/define.ts'
import { ActionId, RoomId, UserId } from '../protocol/ids.ts'
import { isDay } from '../wallet/turkish-day.ts'
import { ACTIONS_PER_PAGE } from './limits.ts'

/** A person of an action. */
const ActionPerson = v.object({
  id: UserId,
  /** The name at the time; null when the account is erased. */
  username: v.nullable(v.string()),
  /** The name under which the profile opens now; null when nobody has one. */
  currentUsername: v.nullable(v.string()),
})
export type ActionPerson = v.InferOutput<typeof ActionPerson>

/** An entry of the action log as the audit page shows it. */
export const Action = v.object({
  id: ActionId,
  /** As declared in `src/shared/<feature>/action-kinds.ts`. */
  kind: v.string(),
  at: Time,
  /** null: the server itself. */
  actor: v.nullable(ActionPerson),
  target: v.nullable(ActionPerson),
  room: v.nullable(v.object({ id: RoomId, name: v.string() })),
  /** What it was about, such as a message. */
  subject: v.nullable(v.object({ type: v.string(), id: Id })),
  reason: v.nullable(v.string()),
  endsAt: v.nullable(Time),
  details: v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
})
export type Action = v.InferOutput<typeof Action>

const Day = v.pipe(Text(10), v.check(isDay))
const Name = v.pipe(Text(64), v.trim(), v.minLength(1))

const filterFields = {
  /** A person who has or had this name, as the actor or the target. */
  username: v.optional(Name),
  /** Only where the person is this one of the two. */
  side: v.optional(v.picklist(['actor', 'target'])),
  roomName: v.optional(Name),
  kind: v.optional(v.pipe(Text(64), v.regex(/^\w+$/))),
  /** The first and the last calendar day in Türkiye, `2026-11-23`. */
  fromDay: v.optional(Day),
  toDay: v.optional(Day),
}
const ActionFilter = v.object(filterFields)
export type ActionFilter = v.InferOutput<typeof ActionFilter>

export const events = {
  actionRecorded: loggedEvent({
    description: 'An entry was added to the action log; for root admins, who fetch it.',
    payload: v.object({ actionId: ActionId }),
  }),
}

export const routes = {
  actions: route({
    description:
      `The action log of root admins, room admins and the server, the latest first, ${ACTIONS_PER_PAGE} at a time; ` +
      '`next` is the `before` of the next page, null on the last one.',
    method: 'GET',
    path: '/moderation/actions',
    access: 'rootadmin',
    input: v.object({ ...filterFields, before: v.optional(PageCursor) }),
    answer: v.object({ success: v.literal(true), actions: v.array(Action), next: v.nullable(PageCursor) }),
  }),
}
