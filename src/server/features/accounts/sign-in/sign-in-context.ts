import type { Platform } from '../../../../shared/accounts/protocol.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { NodeContext } from '../../../kernel/http/node-app.ts'
import type { SignInContext } from '../../../model/sessions/transactions.ts'
import { describeDevice } from '../sessions/device.ts'

/** The sign-in context of a request: platform, device by its User-Agent, and this region. */
export function signInContextOf(
  { settings }: Pick<AppContext, 'settings'>,
  context: NodeContext,
  { lastLoginPlatform }: { lastLoginPlatform: Platform },
): SignInContext {
  const device = describeDevice(context.req.header('user-agent'))
  return { platform: lastLoginPlatform, device, region: settings.region }
}
