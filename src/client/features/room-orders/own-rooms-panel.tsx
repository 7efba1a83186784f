import type { ReactNode } from 'react'
import { MY_ROOMS_TITLE } from '../../../shared/room-orders/texts.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { NewRoomButton } from './new-room-button.tsx'
import { OwnRoomsView } from './own-rooms-view.tsx'

/** 'Odalarım' in the side panel, with a button for the dialog. */
export function OwnRoomsPanel(): ReactNode {
  return (
    <>
      <OwnRoomsView />
      <div>
        <NewRoomButton />
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => openOverlay('ownRooms', {})}>
          {MY_ROOMS_TITLE}
        </button>
      </div>
    </>
  )
}
