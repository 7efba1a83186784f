import type { ReactNode } from 'react'
import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import { messageHash } from '../../../shared/room-chat/message-link.ts'
import type { ShownPlace } from '../../../shared/text-filters/protocol.ts'
import { placeLabels } from '../../../shared/text-filters/screen-texts.ts'
import { live } from '../../core/live/state.ts'
import { clockTime, dateText } from '../../core/ui/format/turkish-time.ts'
import { Avatar } from '../../core/ui/person/avatar.tsx'

/** A person, whose profile it opens. */
export function PersonButton({ user }: { user: UserSummary }): ReactNode {
  return (
    <button type="button" className="row-button semibold break" data-person={user.username} aria-haspopup="dialog">
      <Avatar user={user} size={32} />
      <bdi>{user.username}</bdi>
    </button>
  )
}

/** Where a text was submitted; a message of a room is a link. */
export function PlaceText({ place }: { place: ShownPlace }): ReactNode {
  if (place.kind === 'room') {
    const name = <bdi>#{place.roomName ?? 'kapanmış oda'}</bdi>
    if (place.roomName === null) return name
    const hash = place.messageId === null ? '' : messageHash(place.messageId)
    return (
      <a className="semibold" href={`/room/${place.roomId}${hash}`}>
        {name}
      </a>
    )
  }
  if (place.kind !== 'direct' || place.recipient === null) return placeLabels[place.kind]
  return (
    <span>
      {placeLabels.direct} → <bdi>{place.recipient}</bdi>
    </span>
  )
}

/** When something happened: the time for today, else the day too. */
export function TimeText({ at }: { at: number }): ReactNode {
  const isToday = dateText(at) === dateText(live.serverNow())
  return (
    <time dateTime={new Date(at).toISOString()} title={`${dateText(at)} ${clockTime(at)}`}>
      {isToday ? clockTime(at) : `${dateText(at)} ${clockTime(at)}`}
    </time>
  )
}
