import { CONVERSATIONS_NOT_LOADED } from '../../shared/direct-messages/rules.ts'
import type { PanelRegistration } from '../shell/panels/panel-state.ts'
import { toast } from '../shell/toasts/toast.ts'

export const panels = {
  dmList: {
    title: 'Mesajlar',
    load: async () => (await import('./conversation-list-panel.tsx')).ConversationListPanel,
    onLoadError: () => toast(CONVERSATIONS_NOT_LOADED, 'error'),
  },
} satisfies Record<string, PanelRegistration>

type DirectMessagePanels = typeof panels

declare module '../shell/panels/panel-state.ts' {
  interface PanelRegistry extends DirectMessagePanels {}
}
