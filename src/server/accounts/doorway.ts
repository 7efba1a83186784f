import type { Platform } from '../../shared/accounts/protocol.ts'
import type { NodeContext } from '../http/mount.ts'
import type { AppContext } from '../world.ts'
import { describeDevice } from './device.ts'
import type { SignInContext } from './sessions.ts'

/** Where a request enters from, for every way in: what it says of its browser, and the region that it came to. */
export function signInContextOf(
  { settings }: Pick<AppContext, 'settings'>,
  context: NodeContext,
  { browserId = null, lastLoginPlatform }: { browserId?: string | null | undefined; lastLoginPlatform: Platform },
): SignInContext {
  const device = describeDevice(context.req.header('user-agent'))
  return { browserId, platform: lastLoginPlatform, device, region: settings.region }
}
