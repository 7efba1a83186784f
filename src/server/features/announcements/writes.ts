import { sendPopup } from './send-popup.ts'
import { sendRoomPopup } from './send-room-popup.ts'

/** The write commands of this feature. */
export const writes = [sendPopup, sendRoomPopup]
