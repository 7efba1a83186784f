import type { ActionKindSpec } from '../audit/action-kind.ts'

export const actionKinds = {
  filterEntriesAdded: { label: 'Kelime filtresine ekledi', details: { pattern: 'Söz', count: 'Adet' } },
  filterEntryChanged: { label: 'Kelime filtresinde değiştirdi', details: { pattern: 'Söz' } },
  filterEntryDeleted: { label: 'Kelime filtresinden sildi', details: { pattern: 'Söz' } },
  linkRuleChanged: {
    label: 'Bağlantı kuralını değiştirdi',
    details: { minDays: 'En az gün', guestsMayLink: 'Misafirler' },
  },
  heldTextRead: { label: 'Bekleyen özel mesajı okudu', details: { pattern: 'Söz' } },
  heldTextReleased: { label: 'Bekleyen metni gönderdi', details: { pattern: 'Söz' } },
  heldTextDiscarded: { label: 'Bekleyen metni sildi', details: { pattern: 'Söz' } },
  alertHandled: { label: 'Uyarıyı kapattı' },
  alertReopened: { label: 'Uyarıyı yeniden açtı' },
  linkedAccountsRead: { label: 'Bağlı hesaplara baktı' },
  markBan: { label: 'Tarayıcı veya adresi yasakladı', logType: 'system_ban', details: { covers: 'Kapsam' } },
  markBanLifted: { label: 'Tarayıcı veya adres yasağını kaldırdı', details: { covers: 'Kapsam' } },
} as const satisfies Record<string, ActionKindSpec>
