import { SIGN_UP_DONE } from '../../shared/accounts/rules.ts'
import { readBoot } from '../boot.ts'
import { browserEnvironment } from '../live/environment.ts'
import { toast } from '../shell/toasts/toast.ts'

// Whoever became a member by the form of the landing page is told so in the room that it leads to.
const { tabStorage } = browserEnvironment
const isMember = readBoot().session?.user.isGuest === false
if (tabStorage.get('form')?.endsWith('/register') && isMember) void toast(SIGN_UP_DONE, 'success')
tabStorage.set('form', null)
