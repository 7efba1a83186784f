import type { ActionKindSpec } from '../audit/action-kind.ts'

export const actionKinds = {
  roomAdminAdded: { label: 'Oda yöneticisi yaptı' },
  roomAdminRemoved: { label: 'Oda yöneticiliğini kaldırdı' },
  roomGreetingChanged: { label: 'Karşılama mesajını değiştirdi', details: { text: 'Karşılama mesajı' } },
  roomBackgroundSet: { label: 'Oda arka planını değiştirdi' },
  roomBackgroundRemoved: { label: 'Oda arka planını kaldırdı' },
  slowModeChanged: { label: 'Yavaş modu değiştirdi', details: { seconds: 'Saniye', secondsBefore: 'Önceki saniye' } },
} as const satisfies Record<string, ActionKindSpec>
