import type { MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { togglePanel } from '../../core/shell/panels/panel-state.ts'
import { PostsIcon } from './icons.tsx'
import { OWN_POSTS_TITLE } from './texts.ts'

export const menuEntries: readonly MenuEntry[] = [
  {
    menu: 'side',
    order: 30,
    label: OWN_POSTS_TITLE,
    icon: PostsIcon,
    isAvailable: ({ isGuest }) => !isGuest,
    run: () => togglePanel('posts'),
  },
]
