import type { PanelRegistration } from '../../core/shell/panels/panel-state.ts'

export const panels = {
  notifications: {
    title: 'Bildirimler',
    load: async () => (await import('./notifications-panel.tsx')).NotificationsPanel,
  },
} satisfies Record<string, PanelRegistration>

type NotificationPanels = typeof panels

declare module '../../core/shell/panels/panel-state.ts' {
  interface PanelRegistry extends NotificationPanels {}
}
