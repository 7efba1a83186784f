import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { roomSubscription } from '../rooms/state.ts'
import { TypingIndicator } from './typing-hint.ts'

/** Who is writing in the room that is shown. */
export const typingIndicator = new TypingIndicator(browserEnvironment, live, roomSubscription)
