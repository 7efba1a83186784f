import { indexMessages } from '../../model/room-chat/index-messages.ts'
import { addMedia } from './add-media.ts'
import { deleteUnusedMedia } from './delete-unused-media.ts'
import { sendMessage } from './send-message.ts'
import { trimRoom } from './trim-large-rooms.ts'
import { trimMessages } from './trim-messages.ts'

/** The write commands of this feature. */
export const writes = [indexMessages, sendMessage, addMedia, deleteUnusedMedia, trimMessages, trimRoom]
