import type { Platform } from '../../shared/accounts/protocol.ts'
import type { NodeContext } from '../http/mount.ts'
import type { World } from '../world.ts'
import { deviceOf } from './device.ts'
import type { Doorway } from './sessions.ts'

/** Where a request enters from, for every way in: what it says of its browser, and the region that it came to. */
export function doorwayOf(
  { settings }: Pick<World, 'settings'>,
  context: NodeContext,
  { browserId = null, lastLoginPlatform }: { browserId?: string | null | undefined; lastLoginPlatform: Platform },
): Doorway {
  const device = deviceOf(context.req.header('user-agent'))
  return { browserId, platform: lastLoginPlatform, device, region: settings.region }
}
