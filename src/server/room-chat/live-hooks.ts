import type { LiveHooks } from '../live/define-live-hooks.ts'
import { isAboutRemovedMessage } from './queries.ts'

export const liveHooks: LiveHooks = { isObsolete: isAboutRemovedMessage }
