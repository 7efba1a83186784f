import type { ActionKindSpec } from '../audit/action-kind.ts'

export const actionKinds = {
  sitePopupSent: { label: 'Herkese duyuru gönderdi', details: { text: 'Duyuru' } },
  roomPopupSent: { label: 'Odaya duyuru gönderdi', details: { text: 'Duyuru' } },
} as const satisfies Record<string, ActionKindSpec>
