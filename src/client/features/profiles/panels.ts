import type { PanelRegistration } from '../../core/shell/panels/panel-state.ts'
import { loadOwnAccount } from '../../model/profiles/own-account.ts'

export const panels = {
  profile: {
    title: 'Profilim',
    load: async () => {
      void loadOwnAccount() // while the code loads, so that both are there at once
      return (await import('./own-profile-panel.tsx')).OwnProfilePanel
    },
  },
} satisfies Record<string, PanelRegistration>

type ProfilesPanels = typeof panels

declare module '../../core/shell/panels/panel-state.ts' {
  interface PanelRegistry extends ProfilesPanels {}
}
