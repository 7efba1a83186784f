import { session } from '../accounts/session.ts'
import { browserEnvironment } from '../live/environment.ts'
import { live, outbox } from '../live/state.ts'
import { fileOutbox } from '../media/state.ts'
import { DirectConversations } from './direct-conversations.ts'

/** The conversations of this tab's windows. */
export const directConversations = new DirectConversations(
  { environment: browserEnvironment, live, outbox },
  fileOutbox,
  () => session.user,
)
