import { accountScreens } from './account-screens.ts'
import { banScreens } from './ban-screens.ts'
import { blockScreens } from './block-screens.ts'
import { callScreens } from './call-screens.ts'
import { connectionScreens } from './connection-screens.ts'
import { directMessageScreens } from './direct-message-screens.ts'
import { edgeCaseScreens } from './edge-case-screens.ts'
import { followScreens } from './follow-screens.ts'
import { giftScreens } from './gift-screens.ts'
import { landingScreens } from './landing-screens.ts'
import { loadScreens } from './load-screens.ts'
import { moderationScreens } from './moderation-screens.ts'
import { notificationScreens } from './notification-screens.ts'
import { optionScreens } from './option-screens.ts'
import { postScreens } from './post-screens.ts'
import { profileScreens } from './profile-screens.ts'
import { reportScreens } from './report-screens.ts'
import { requestScreens } from './request-screens.ts'
import { roomAccessScreens } from './room-access-screens.ts'
import { roomManagementScreens } from './room-management-screens.ts'
import { roomMediaScreens } from './room-media-screens.ts'
import { roomOrderScreens } from './room-order-screens.ts'
import { roomPeopleScreens } from './room-people-screens.ts'
import { roomScreens } from './room-screens.ts'
import { sanctionScreens } from './sanction-screens.ts'
import type { Screen } from './screen-steps.ts'
import { signUpScreens } from './sign-up-screens.ts'
import { textFilterScreens } from './text-filter-screens.ts'
import { transientScreens } from './transient-screens.ts'
import { walletScreens } from './wallet-screens.ts'

/** Every screen of the site, which has to be filled by `populateRoom`. */
export const screens: Screen[] = [
  ...landingScreens,
  ...roomScreens,
  ...roomPeopleScreens,
  ...banScreens,
  ...connectionScreens,
  ...signUpScreens,
  ...accountScreens,
  ...profileScreens,
  ...blockScreens,
  ...followScreens,
  ...giftScreens,
  ...directMessageScreens,
  ...callScreens,
  ...optionScreens,
  ...postScreens,
  ...roomOrderScreens,
  ...moderationScreens,
  ...textFilterScreens,
  ...sanctionScreens,
  ...reportScreens,
  ...notificationScreens,
  ...loadScreens,
  ...roomAccessScreens,
  ...roomManagementScreens,
  ...roomMediaScreens,
  ...walletScreens,
  ...requestScreens,
  ...transientScreens,
  ...edgeCaseScreens,
]
