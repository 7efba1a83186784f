import type { PanelRegistration } from '../../core/shell/panels/panel-state.ts'
import { OWN_POSTS_TITLE } from './texts.ts'

export const panels = {
  posts: {
    title: OWN_POSTS_TITLE,
    load: async () => (await import('./own-posts-panel.tsx')).OwnPostsPanel,
  },
} satisfies Record<string, PanelRegistration>

type PostsPanels = typeof panels

declare module '../../core/shell/panels/panel-state.ts' {
  interface PanelRegistry extends PostsPanels {}
}
