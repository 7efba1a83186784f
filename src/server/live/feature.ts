import type { Feature, FeatureContext } from '../features.ts'
import { confirmDuplicateConnection } from './duplicate-connections.ts'
import { hello } from './hello.ts'

/** Opening a connection, and two of one person. */
export function createFeature(_context: FeatureContext): Feature {
  return {
    handlers: {
      hello,
      // The specification has these two; hello does their work.
      userConnected: () => ({ success: true }),
      adminConnected: () => ({ success: true }),
      confirmDuplicateConnection,
    },
  }
}
