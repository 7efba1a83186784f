import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import { SettingsButton, SlidersIcon } from './settings-button.tsx'

export const feature: ClientFeature = {
  dockEntries: [{ order: 30, component: SettingsButton }],
  menuEntries: [
    { menu: 'side', order: 10, label: 'Tercihlerim', icon: SlidersIcon, run: () => openOverlay('preferences', {}) },
  ],
}
