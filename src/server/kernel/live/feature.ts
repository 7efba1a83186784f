import type { Feature, FeatureContext } from '../feature.ts'
import { adminConnected } from './admin-connections.ts'
import { hello } from './hello.ts'
import { userConnected } from './user-connected.ts'

/** Opens connections. */
export function createFeature(_context: FeatureContext): Feature {
  return {
    handlers: {
      hello,
      userConnected,
      adminConnected,
    },
  }
}
