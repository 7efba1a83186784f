// Before the styles of features, which may override it.
import '../../../core/ui/primitives.css'
import type { ReactNode } from 'react'
import type { RoomPageProps } from '../../../../shared/rooms/page-props.ts'
import { isolateBidi } from '../../../../shared/text/bidi-isolate.ts'
import { Island } from '../../../core/islands/island.tsx'
import { ConnectionOverlay } from '../../../core/live/connection-overlay.island.tsx'
import { Composer } from '../../../features/room-chat/composer.island.tsx'
import { COMPOSER_FIELD_ID } from '../../../features/room-chat/composer-field-id.ts'
import { Thread } from '../../../features/room-chat/thread.island.tsx'
import { threadValues } from '../../../features/room-chat/thread-variants.ts'
import { RoomBackground } from '../../../model/rooms/room-background.tsx'
import { Dock } from '../../dock.island.tsx'
import { PanelHost } from '../../panel-host.island.tsx'
import { RoomHeader } from '../../room-header.island.tsx'
import { RoomRail } from '../../room-rail.island.tsx'
import '../../../features/rooms/room-frame.css'

export const title = ({ room }: RoomPageProps): string => `#${isolateBidi(room.name)} · Meydan`
export const description = ({ room }: RoomPageProps): string =>
  room.greetingMessage ?? `Meydan'ın #${room.name} odasında canlı sohbet.`

/** The main part: thread and composer. It is replaced when the user moves to another room. */
export function Page(page: RoomPageProps): ReactNode {
  return (
    <>
      <RoomBackground {...page.room} />
      <Island is={Thread} on="afterLoad" values={threadValues(page)} {...page} />
      <Island is={Composer} on="load" values={[page.writePermission]} {...page} />
    </>
  )
}

/** The frame around the main part, which stays. */
export function Frame({ main, ...page }: RoomPageProps & { main: ReactNode }): ReactNode {
  const { rooms, roomCount, users, total, onlineCount, viewer } = page
  const room = { id: page.room.id, name: page.room.name }
  return (
    <div className="room-frame">
      <a className="skip-link" href={`#${COMPOSER_FIELD_ID}`}>
        Mesaj yazmaya geç
      </a>
      <Island is={RoomHeader} on="idle" room={room} total={total} onlineCount={onlineCount} viewer={viewer} />
      <Island is={Dock} on="idle" total={total} roomCount={roomCount} />
      <Island is={RoomRail} on="idle" room={room} rooms={rooms} />
      {main}
      <Island is={PanelHost} on="idle" roomId={room.id} users={users} total={total} viewer={viewer} />
      <Island is={ConnectionOverlay} on="afterLoad" />
    </div>
  )
}
