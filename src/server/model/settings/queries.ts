import { PRIVACY_DEFAULTS, type PrivacySettings } from '../../../shared/settings/rules.ts'
import type { UserRow } from '../accounts/queries.ts'

/** A user's own privacy settings; columns that are null have the default. */
export function privacyOf(row: UserRow): PrivacySettings {
  return {
    messagePrivacy: row.messagePrivacy ?? PRIVACY_DEFAULTS.messagePrivacy,
    messageImagePrivacy: row.messageImagePrivacy ?? PRIVACY_DEFAULTS.messageImagePrivacy,
    messageAudioPrivacy: row.messageAudioPrivacy ?? PRIVACY_DEFAULTS.messageAudioPrivacy,
    voiceCallPrivacy: row.voiceCallPrivacy ?? PRIVACY_DEFAULTS.voiceCallPrivacy,
    videoCallPrivacy: row.videoCallPrivacy ?? PRIVACY_DEFAULTS.videoCallPrivacy,
    accountPrivacy: row.accountPrivacy ?? PRIVACY_DEFAULTS.accountPrivacy,
  }
}
