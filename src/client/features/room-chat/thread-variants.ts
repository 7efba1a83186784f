import type { Message } from '../../../shared/room-chat/message.ts'
import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import { parseRichText } from '../../../shared/text/rich-text.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { dayNumber } from '../../core/ui/format/turkish-time.ts'

/** What decides whether a viewer's thread looks like everybody's. */
interface MessageFacts {
  senderIds: ReadonlySet<number>
  mentionedNames: ReadonlySet<string>
  newestAt: number
}

const factsByMessages = new WeakMap<readonly Message[], MessageFacts>()

/**
 * The values on which the HTML of a room's thread depends. Viewers who wrote one of the messages, or whom one mentions,
 * have their own. Undefined for messages that one viewer reads for himself, and while a message is newer than the page,
 * because clocks differ.
 */
export function threadValues({ room, messages, viewer, serverTime }: RoomPageProps): readonly unknown[] | undefined {
  if (!Object.isFrozen(messages)) return undefined
  const { senderIds, mentionedNames, newestAt } = factsOf(messages)
  if (newestAt > serverTime) return undefined
  const isOwn = senderIds.has(viewer.id) || mentionedNames.has(foldName(viewer.username))
  const variant = isOwn ? [viewer.id, viewer.username] : null
  return [messages, room.id, room.name, room.greetingMessage, dayNumber(serverTime), variant]
}

function factsOf(messages: readonly Message[]): MessageFacts {
  const known = factsByMessages.get(messages)
  if (known) return known
  const mentions = messages.flatMap(({ content }) => parseRichText(content)).filter((piece) => piece.kind === 'mention')
  const facts = {
    senderIds: new Set(messages.map(({ senderId }) => senderId)),
    mentionedNames: new Set(mentions.map(({ name }) => foldName(name))),
    newestAt: Math.max(0, ...messages.map(({ createdAt }) => createdAt)),
  }
  factsByMessages.set(messages, facts)
  return facts
}
