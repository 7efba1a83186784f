import type { ActionKindSpec } from '../audit/action-kind.ts'

export const actionKinds = {
  siteBan: { label: 'Siteden yasakladı', logType: 'system_ban' },
  siteBanLifted: { label: 'Site yasağını kaldırdı' },
  ghostBan: { label: 'Ghost ban uyguladı' },
  ghostBanRepeated: { label: 'Ghost ban kapsamına aldı' },
  ghostBanLifted: { label: 'Ghost banı kaldırdı' },
  roomCleared: { label: 'Oda mesajlarını temizledi' },
  maintenanceStarted: { label: 'Siteyi bakıma aldı' },
  maintenanceEnded: { label: 'Bakımı bitirdi' },
} as const satisfies Record<string, ActionKindSpec>
