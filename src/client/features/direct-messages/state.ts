import { live, outbox } from '../../core/live/state.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { session } from '../../core/session/session.ts'
import { fileOutbox } from '../../model/conversation/media/state.ts'
import { DirectConversations } from './direct-conversations.ts'

/** The conversations of this tab's windows. */
export const directConversations = new DirectConversations(
  { environment: browserEnvironment, live, outbox },
  fileOutbox,
  () => session.user,
)
