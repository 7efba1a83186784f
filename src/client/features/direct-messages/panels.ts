import { CONVERSATIONS_NOT_LOADED } from '../../../shared/direct-messages/rules.ts'
import type { PanelRegistration } from '../../core/shell/panels/panel-state.ts'

export const panels = {
  dmList: {
    title: 'Mesajlar',
    load: async () => (await import('./conversation-list-panel.tsx')).ConversationListPanel,
    failureText: CONVERSATIONS_NOT_LOADED,
  },
} satisfies Record<string, PanelRegistration>

type DirectMessagePanels = typeof panels

declare module '../../core/shell/panels/panel-state.ts' {
  interface PanelRegistry extends DirectMessagePanels {}
}
