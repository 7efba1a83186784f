import type { OverlayRegistration } from '../../core/shell/overlays/overlays.ts'
import { Preferences } from './preferences.tsx'
import { SettingsSheet } from './settings-sheet.tsx'

export const overlays = {
  /** 'Tercihlerim'. */
  preferences: { component: Preferences, access: 'everyone' },
  /** 'Ayarlar', opened from the dock of small screens. */
  settingsSheet: { component: SettingsSheet, access: 'everyone' },
} satisfies Record<string, OverlayRegistration>
