import { sendPopup } from './send-popup.ts'

/** The write commands of this feature. */
export const writes = [sendPopup]
