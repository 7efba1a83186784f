import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { roomLine } from '../rooms/state.ts'
import { TypingHint } from './typing-hint.ts'

/** Who is writing in the room that is shown. */
export const typingHint = new TypingHint(browserEnvironment, live, roomLine)
