import type { LiveHooks } from '../../kernel/live/define-live-hooks.ts'
import { isAboutRemovedMessage } from '../../model/room-chat/queries.ts'

export const liveHooks: LiveHooks = { isObsolete: isAboutRemovedMessage }
