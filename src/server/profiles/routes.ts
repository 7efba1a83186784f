import { routes } from '../../shared/profiles/protocol.ts'
import { refuse } from '../../shared/protocol/refusals.ts'
import { PRIVACY_DEFAULTS, type PrivacySettings } from '../../shared/settings/rules.ts'
import { toAbout, toPerson, type UserRow, userById } from '../accounts/queries.ts'
import { mount, type NodeApp } from '../http/mount.ts'
import type { World } from '../world.ts'

/** `/api/users`: what people say of themselves. */
export function profileRoutes(app: NodeApp, world: World): void {
  mount(app, world, routes.account, ({ actor }) => {
    const row = world.read.get(userById, { id: actor.userId })
    if (!row) return refuse('SessionEnded')
    const person = toPerson(row, world.presence.isOnline(row.id), world.clock())
    return { success: true as const, user: { ...person, ...toAbout(row), ...privacyOf(row) } }
  })
}

/** Whom somebody lets come near: as they chose, else by default. */
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
