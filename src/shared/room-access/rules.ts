import type { BanDuration } from '../moderation/protocol.ts'
import { BAN_DURATION_TEXTS, formatDateTime } from '../moderation/rules.ts'
import { isolateBidi } from '../text/bidi-isolate.ts'

/** The message with which somebody banned from a room is refused. */
export function formatRoomBanNotice({ banReason, endsAt }: { banReason: string; endsAt: number | null }): string {
  if (endsAt === null) return `Bu odadan süresiz olarak yasaklandın. Sebep: ${banReason}.`
  return `Bu odadan yasaklandın. Sebep: ${banReason}. Bitiş: ${formatDateTime(endsAt)}.`
}

export const CANNOT_BAN_ROOM_STAFF = 'Oda sahibi ve oda adminleri yasaklanamaz.'

/** The toast after a ban. */
export function roomBanDoneText(username: string, duration: BanDuration): string {
  return `${isolateBidi(username)} ${BAN_DURATION_TEXTS[duration]} odadan yasaklandı.`
}
