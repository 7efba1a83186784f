import type { ReactNode } from 'react'
import { openRoomOrder } from '../../model/room-orders/open-room-order.ts'
import { NewRoomIcon } from './icons.tsx'

/** Opens the order of a room. */
export function NewRoomButton(): ReactNode {
  return (
    <button type="button" className="button button--accent" aria-haspopup="dialog" onClick={() => void openRoomOrder()}>
      <NewRoomIcon size={20} />
      YENİ ODA AÇ
    </button>
  )
}
