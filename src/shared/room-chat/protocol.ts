import * as v from 'valibot'
import { ClientId, command, event, Id, Text, Time } from '../protocol/define.ts'
import { MAX_MESSAGE_LENGTH } from '../text/limits.ts'
import { Message } from './message.ts'

export const commands = {
  sendMessage: command({
    about: 'Says something in the room that the sender is in. An empty message is ignored: success without an id.',
    access: 'signedIn',
    writes: true,
    saysWho: ['username'],
    input: v.object({
      roomId: Id,
      content: Text(MAX_MESSAGE_LENGTH),
      username: v.optional(Text(64)),
      clientId: v.optional(ClientId),
    }),
    answer: v.object({ success: v.literal(true), id: v.optional(Id), createdAt: v.optional(Time) }),
  }),
}

export const events = {
  message: event({ about: 'A message was said in the room.', kept: true, payload: Message }),
}
