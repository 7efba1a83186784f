import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { History } from './history.ts'
import { messages } from './state.ts'

/** Brings earlier messages into the thread that is shown. */
export const history = new History(browserEnvironment, live, messages)
