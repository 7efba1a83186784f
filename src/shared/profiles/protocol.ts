import * as v from 'valibot'
import { Person, ProfileDetails } from '../accounts/protocol.ts'
import { route, Text } from '../protocol/define.ts'
import { OWN_CHANGE_LIMIT } from '../settings/limits.ts'
import { PrivacyChanges, PrivacySettings } from '../settings/rules.ts'
import { CLEARABLE_FIELDS } from './rules.ts'

/** A user's own account, as only they get it. */
export const OwnAccount = v.object({ ...Person.entries, ...ProfileDetails.entries, ...PrivacySettings.entries })
export type OwnAccount = v.InferOutput<typeof OwnAccount>

/** An early bound above each field's own limit, so that very long texts are not normalised. */
const ProfileField = v.optional(Text(2_000))
const clearablePattern = CLEARABLE_FIELDS.join('|')

export const routes = {
  account: route({
    description: 'The own account: user, profile and privacy settings.',
    method: 'GET',
    path: '/users/account',
    access: 'signedIn',
    input: v.object({}),
    answer: v.object({ success: v.literal(true), user: OwnAccount }),
  }),
  updateProfile: route({
    description:
      'Changes the own profile, the avatar (`avatar`, a file of a multipart body), the password and the privacy ' +
      'settings. A blank field changes nothing; `clear` is a comma-separated list of fields to empty: ' +
      `${CLEARABLE_FIELDS.join(', ')}. The password changes when the current and the new one are both given; then all ` +
      'other sessions end, and the answer has a new token for this one.',
    method: 'PUT',
    path: '/users/profile',
    access: 'member',
    limiter: OWN_CHANGE_LIMIT,
    fileFields: ['avatar'],
    input: v.object({
      bio: ProfileField,
      city: ProfileField,
      age: v.optional(v.union([v.number(), Text(20)])),
      currentPassword: v.optional(Text(128)),
      newPassword: ProfileField,
      newPasswordConfirmation: ProfileField,
      clear: v.optional(
        v.pipe(
          v.string(),
          v.maxLength(64),
          v.regex(new RegExp(`^(?:${clearablePattern})(?:,(?:${clearablePattern}))*$`, 'u')),
        ),
      ),
      ...PrivacyChanges.entries,
    }),
    answer: v.object({
      success: v.literal(true),
      message: v.string(),
      user: OwnAccount,
      /** After a changed password: tokens from before are refused. */
      token: v.optional(v.string()),
    }),
  }),
}
