import { HistoryLoader } from '../conversation/store/history-loader.ts'
import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { conversation } from './shown-conversation.ts'

/** Brings earlier messages into the thread that is shown. */
export const historyLoader = new HistoryLoader(browserEnvironment, live, conversation.store)
