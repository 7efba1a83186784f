import type { Feature, FeatureContext } from '../features.ts'
import { confirmDuplicateConnection } from './duplicate-connections.ts'
import { hello } from './hello.ts'

/** Opens connections, and handles several connections of one user. */
export function createFeature(_context: FeatureContext): Feature {
  return {
    handlers: {
      hello,
      // Commands of the specification that hello has made redundant.
      userConnected: () => ({ success: true }),
      adminConnected: () => ({ success: true }),
      confirmDuplicateConnection,
    },
  }
}
