import { SIGN_UP_DONE } from '../../../../shared/accounts/rules.ts'
import { browserEnvironment } from '../../../core/platform/environment.ts'
import { readBoot } from '../../../core/session/boot.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'

/** Welcomes a user who has just registered with the form of the landing page, which leads to this room. */
export function toastSignUp(): void {
  const { tabStorage } = browserEnvironment
  const isMember = readBoot().session?.user.isGuest === false
  if (tabStorage.get('form')?.endsWith('/register') && isMember) void toast(SIGN_UP_DONE, 'success')
  tabStorage.set('form', null)
}
