import type { ActionKindSpec } from '../audit/action-kind.ts'

export const actionKinds = {
  userWarned: { label: 'Uyardı' },
  warningConfirmed: { label: 'Uyarıyı okuduğunu onayladı' },
  /** Entries of earlier releases. */
  warningWithdrawn: { label: 'Uyarıyı geri aldı' },
  siteMute: { label: 'Sitede susturdu' },
  roomMute: { label: 'Odada susturdu' },
  muteLifted: { label: 'Susturmayı kaldırdı' },
  messageRemoved: { label: 'Mesajı kaldırdı' },
  messageRestored: { label: 'Mesajı geri getirdi' },
} as const satisfies Record<string, ActionKindSpec>
