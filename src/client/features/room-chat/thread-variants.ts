import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import { parseRichText } from '../../../shared/text/rich-text.ts'
import { foldName } from '../../../shared/text/turkish.ts'
import { dayNumber } from '../../core/ui/format/turkish-time.ts'

/**
 * The values on which the HTML of a room's thread depends: the same for all viewers but those who wrote one of the messages
 * or whom one mentions.
 */
export function threadValues({ room, messages, viewer, serverTime }: RoomPageProps): readonly unknown[] {
  const name = foldName(viewer.username)
  const isMentioned = (text: string): boolean =>
    text.includes('@') && parseRichText(text).some((piece) => piece.kind === 'mention' && foldName(piece.name) === name)
  const isOwn = messages.some(({ senderId, content }) => senderId === viewer.id || isMentioned(content))
  const variant = isOwn ? [viewer.id, viewer.username] : null
  return [messages, room.id, room.name, room.greetingMessage, dayNumber(serverTime), variant]
}
