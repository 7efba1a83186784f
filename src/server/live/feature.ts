import type { Feature, FeatureContext } from '../features.ts'
import { adminConnected } from './admin-connections.ts'
import { confirmDuplicateConnection } from './duplicate-connections.ts'
import { hello } from './hello.ts'

/** Opens connections, and handles several connections of one user. */
export function createFeature(_context: FeatureContext): Feature {
  return {
    handlers: {
      hello,
      // Of the specification; hello has made it redundant.
      userConnected: () => ({ success: true }),
      adminConnected,
      confirmDuplicateConnection,
    },
  }
}
