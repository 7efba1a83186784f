import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { ChartIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'

export const feature: ClientFeature = {
  menuEntries: [
    { menu: 'settings', order: 60, label: 'Genel', icon: ChartIcon, run: () => openOverlay('siteStatus', {}) },
  ],
}
