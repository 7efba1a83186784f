import * as v from 'valibot'

/** Whom somebody lets come near by one way: everyone, those who follow them, those whom they follow, or nobody. */
export const Privacy = v.picklist(['everyone', 'followers', 'following', 'nobody'])
export type Privacy = v.InferOutput<typeof Privacy>
export const AccountPrivacy = v.picklist(['public', 'private'])
export type AccountPrivacy = v.InferOutput<typeof AccountPrivacy>

/** What somebody lets others do, by the specification's names (specification 2, point 3, "User (listed)"). */
export const PrivacySettings = v.object({
  messagePrivacy: Privacy,
  messageImagePrivacy: Privacy,
  messageAudioPrivacy: Privacy,
  voiceCallPrivacy: Privacy,
  videoCallPrivacy: Privacy,
  accountPrivacy: AccountPrivacy,
})
export type PrivacySettings = v.InferOutput<typeof PrivacySettings>

/** Some of it, to be changed; the rest stays as it is. */
export const PrivacyChanges = v.partial(PrivacySettings)
export type PrivacyChanges = v.InferOutput<typeof PrivacyChanges>

/** What holds until somebody chooses otherwise (specification 2, point 9). */
export const PRIVACY_DEFAULTS: PrivacySettings = {
  messagePrivacy: 'everyone',
  messageImagePrivacy: 'followers',
  messageAudioPrivacy: 'followers',
  voiceCallPrivacy: 'everyone',
  videoCallPrivacy: 'followers',
  accountPrivacy: 'public',
}
