import * as v from 'valibot'
import { BrowserId, Person, Platform } from '../accounts/protocol.ts'
import { Count, Cursor, command, ephemeralEvent, Text, Time } from '../protocol/define.ts'
import { RoomId } from '../protocol/ids.ts'

export const commands = {
  hello: command({
    description: 'Opens the connection: token, browser, tab, and the cursor to resume from.',
    access: 'signedIn',
    input: v.object({
      protocol: Count,
      token: Text(4096),
      browserId: v.optional(BrowserId),
      platform: Platform,
      tabId: v.optional(Text(64)),
      cursor: v.optional(Cursor),
      roomId: v.optional(RoomId),
    }),
    answer: v.object({
      user: Person,
      cursor: Cursor,
      resumed: v.boolean(),
      serverTime: Time,
      /** The room of a resumed connection; absent if it may no longer be entered. */
      roomId: v.optional(RoomId),
    }),
  }),
  userConnected: command({
    description:
      'Shows a new token of the same user: the connection goes on with its session. Without a token it does nothing; hello ' +
      'has done its work.',
    access: 'signedIn',
    identityFields: ['user'],
    input: v.object({ user: v.optional(v.unknown()), token: v.optional(Text(4096)) }),
    answer: v.object({ success: v.literal(true) }),
  }),
  adminConnected: command({
    description:
      "Shows the session's admin token: until it expires, this connection may send the commands of root admins. Without " +
      'a token it does nothing.',
    access: 'signedIn',
    identityFields: ['user'],
    input: v.object({ user: v.optional(v.unknown()), adminToken: v.optional(Text(4096)) }),
    answer: v.object({ success: v.literal(true) }),
  }),
  confirmDuplicateConnection: command({
    description: 'Disconnects the older connection of this browser or user, and this one too.',
    access: 'signedIn',
    input: v.object({ action: v.literal('disconnect_old') }),
    answer: v.object({ success: v.literal(true) }),
  }),
}

export const events = {
  duplicateConnection: ephemeralEvent({
    description: 'The same user is connected from another tab or browser, and that connection has answered.',
    payload: v.object({ message: v.string() }),
  }),
  duplicateConnectionResolved: ephemeralEvent({
    description: 'The other connection has closed; this one is the only one now.',
    payload: v.object({}),
  }),
  serverShutdown: ephemeralEvent({
    description: 'The region shuts down; connections close with 4503 next.',
    payload: v.object({ message: v.string() }),
  }),
  cursor: ephemeralEvent({
    description: 'The current cursor, sent every 25 s without events, so that a resume stays possible.',
    payload: v.object({ cursor: Cursor }),
  }),
  resync: ephemeralEvent({
    description: 'The client must discard its state and fetch it again.',
    payload: v.object({}),
  }),
}
