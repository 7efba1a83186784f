import type { ReactNode } from 'react'
import { OTHER_ROOM_LABEL } from '../../../shared/room-access/texts.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import darkUrl from '../../core/art/dark.svg?url'
import { Island } from '../../core/islands/island.tsx'
import { BrandLink } from '../../core/ui/brand/brand-link.tsx'
import { RoomPasswordForm, type RoomPasswordFormProps } from '../../features/room-access/room-password-form.island.tsx'
import '../message-page.css'
import '../../features/room-access/room-password-page.css'

interface RoomPasswordPageProps extends RoomPasswordFormProps {
  roomName: string
}

export const title = ({ roomName }: RoomPasswordPageProps): string => `#${isolateBidi(roomName)} · Meydan`

/** Shown in place of a room that needs a password. */
export function Page({ roomName, ...form }: RoomPasswordPageProps): ReactNode {
  return (
    <div className="message-page">
      <BrandLink />
      <section>
        <img src={darkUrl} alt="" width="260" height="180" />
        <h1>
          <bdi>#{roomName}</bdi>
        </h1>
        <p>Bu oda şifreli.</p>
        <Island is={RoomPasswordForm} on="interaction" {...form} />
        <a href="/room/1">{OTHER_ROOM_LABEL}</a>
      </section>
    </div>
  )
}
