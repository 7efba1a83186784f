import type { ActionKindSpec } from '../audit/action-kind.ts'

export const actionKinds = {
  rootAdminGranted: { label: 'Root admin yaptı' },
  rootAdminRevoked: { label: 'Root adminliğini kaldırdı' },
} as const satisfies Record<string, ActionKindSpec>
