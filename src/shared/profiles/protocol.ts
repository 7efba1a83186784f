import * as v from 'valibot'
import { About, Person } from '../accounts/protocol.ts'
import { route, Text } from '../protocol/define.ts'
import { PrivacyChanges, PrivacySettings } from '../settings/rules.ts'
import { CLEARABLE } from './rules.ts'

/** What somebody is told of their own account. */
export const OwnAccount = v.object({ ...Person.entries, ...About.entries, ...PrivacySettings.entries })
export type OwnAccount = v.InferOutput<typeof OwnAccount>

/** More than a field may have once it is folded: what is far too long is not looked at. */
const Field = v.optional(Text(2_000))
const clearable = CLEARABLE.join('|')

export const routes = {
  account: route({
    about: 'The own account: how one is shown, what one says of oneself, and whom one lets come near.',
    method: 'GET',
    path: '/users/account',
    access: 'signedIn',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), user: OwnAccount }),
  }),
  updateProfile: route({
    about:
      'Changes what one says of oneself, the picture (`avatar`, a file of a multipart body), the password, and whom one lets ' +
      'come near. A blank field changes nothing; `clear` names, with commas between, what is to be emptied: ' +
      `${CLEARABLE.join(', ')}. The password changes where the current and the new one are both there; then all other ` +
      'sessions end.',
    method: 'PUT',
    path: '/users/profile',
    access: 'member',
    files: ['avatar'],
    input: v.object({
      bio: Field,
      city: Field,
      age: v.optional(v.union([v.number(), Text(20)])),
      currentPassword: v.optional(Text(128)),
      newPassword: Field,
      newPasswordConfirmation: Field,
      clear: v.optional(
        v.pipe(v.string(), v.maxLength(64), v.regex(new RegExp(`^(?:${clearable})(?:,(?:${clearable}))*$`, 'u'))),
      ),
      ...PrivacyChanges.entries,
    }),
    answer: v.object({ success: v.literal(true), message: v.string(), user: OwnAccount }),
  }),
}
