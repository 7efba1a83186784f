import { sendGift } from './send-gift.ts'
import { setGiftShare } from './set-gift-share.ts'
import { updateGiftKind } from './update-gift-kind.ts'

/** The write commands of this feature. */
export const writes = [sendGift, updateGiftKind, setGiftShare]
