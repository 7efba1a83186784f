import { browserEnvironment } from '../live/environment.ts'
import { live, outbox } from '../live/state.ts'
import { roomSubscription } from '../rooms/state.ts'
import { RoomConversation } from './room-conversation.ts'

/** The conversation of the room that is shown. */
export const conversation = new RoomConversation(browserEnvironment, live, outbox, roomSubscription)
