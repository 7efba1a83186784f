import type { PanelRegistration } from '../shell/panels/panel-state.ts'

export const panels = {
  notifications: {
    title: 'Bildirimler',
    load: async () => (await import('./notifications-panel.tsx')).NotificationsPanel,
  },
} satisfies Record<string, PanelRegistration>

type NotificationPanels = typeof panels

declare module '../shell/panels/panel-state.ts' {
  interface PanelRegistry extends NotificationPanels {}
}
