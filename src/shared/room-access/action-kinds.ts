import type { ActionKindSpec } from '../audit/action-kind.ts'
import { preferenceLabels } from './preference-labels.ts'

export const actionKinds = {
  roomBan: { label: 'Odadan yasakladı', logType: 'ban' },
  roomBanLifted: { label: 'Oda yasağını kaldırdı' },
  roomPasswordSet: { label: 'Oda şifresini belirledi' },
  roomPasswordRemoved: { label: 'Oda şifresini kaldırdı' },
  roomRightsChanged: {
    label: 'Oda yetkilerini değiştirdi',
    details: { messages: 'Mesaj', media: 'Medya' },
    values: preferenceLabels,
  },
} as const satisfies Record<string, ActionKindSpec>
