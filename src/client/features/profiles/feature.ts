import { profileTexts } from '../../../shared/profiles/rules.ts'
import { copyText } from '../../core/shell/copy-text.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { PencilIcon } from '../../core/ui/person/icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import { loadOwnAccount } from '../../model/profiles/own-account.ts'
import { profileUrl } from './profile-link.ts'
import { start } from './start.ts'

export const feature: ClientFeature = {
  start,
  panels: {
    profile: {
      title: 'Profilim',
      load: async () => {
        void loadOwnAccount() // while the code loads, so that both are there at once
        return (await import('./own-profile-panel.tsx')).OwnProfilePanel
      },
    },
  },
  menuEntries: [
    {
      menu: 'side',
      order: 60,
      label: 'Profili Güncelle',
      icon: PencilIcon,
      isAvailable: ({ isGuest }) => !isGuest,
      run: () => openOverlay('profileEditor', {}),
    },
  ],
  personMenuEntries: [
    { order: 10, label: profileTexts.copyUsername, run: ({ username }) => void copyText(username) },
    { order: 15, label: profileTexts.copyLink, run: ({ username }) => void copyText(profileUrl(username)) },
  ],
}
