import type { ActionKindSpec } from '../audit/action-kind.ts'

export const actionKinds = {
  roomExpired: { label: 'Süresi dolan odayı kapattı' },
  roomReopened: { label: 'Odayı yeniden açtı' },
} as const satisfies Record<string, ActionKindSpec>
