import * as v from 'valibot'

/** Who may contact a user in one way; `followers` follow the user, `following` are followed by the user. */
export const Privacy = v.picklist(['everyone', 'followers', 'following', 'nobody'])
export type Privacy = v.InferOutput<typeof Privacy>
export const AccountPrivacy = v.picklist(['public', 'private'])
export type AccountPrivacy = v.InferOutput<typeof AccountPrivacy>

/** Named as in specification 2, point 3, "User (listed)". */
export const PrivacySettings = v.object({
  messagePrivacy: Privacy,
  messageImagePrivacy: Privacy,
  messageAudioPrivacy: Privacy,
  voiceCallPrivacy: Privacy,
  videoCallPrivacy: Privacy,
  accountPrivacy: AccountPrivacy,
})
export type PrivacySettings = v.InferOutput<typeof PrivacySettings>

/** The settings to change; the others keep their value. */
export const PrivacyChanges = v.partial(PrivacySettings)
export type PrivacyChanges = v.InferOutput<typeof PrivacyChanges>

/** Specification 2, point 9. */
export const PRIVACY_DEFAULTS: PrivacySettings = {
  messagePrivacy: 'everyone',
  messageImagePrivacy: 'followers',
  messageAudioPrivacy: 'followers',
  voiceCallPrivacy: 'everyone',
  videoCallPrivacy: 'followers',
  accountPrivacy: 'public',
}
