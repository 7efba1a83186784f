import { TypingIndicator } from '../conversation/composer/typing-indicator.ts'
import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { roomSubscription } from '../rooms/state.ts'

/** Who is writing in the room that is shown. */
export const typingIndicator = new TypingIndicator(browserEnvironment, live, roomSubscription)
