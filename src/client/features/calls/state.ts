import { session } from '../../core/session/session.ts'
import { browserCallPlatform } from './call-platform.ts'
import { callStore } from './call-store.ts'
import { Calls } from './calls.ts'

/** The calls of this tab; feature.ts loads them at the first one. */
export const calls = new Calls(browserCallPlatform, callStore)

// A log-out, a ban and a lost session end the call on the server too.
session.onEnd(() => calls.abandon())
