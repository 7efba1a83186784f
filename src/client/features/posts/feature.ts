import { togglePanel } from '../../core/shell/panels/panel-state.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import { PostsIcon } from './icons.tsx'
import { OWN_POSTS_TITLE } from './texts.ts'

export const feature: ClientFeature = {
  panels: {
    posts: {
      title: OWN_POSTS_TITLE,
      load: async () => (await import('./lists/own-posts-panel.tsx')).OwnPostsPanel,
    },
  },
  menuEntries: [
    {
      menu: 'side',
      order: 30,
      label: OWN_POSTS_TITLE,
      icon: PostsIcon,
      isAvailable: ({ isGuest }) => !isGuest,
      run: () => togglePanel('posts'),
    },
  ],
  profileSections: [
    {
      order: 20,
      // Guests have no posts.
      isShown: ({ profile: { isGuest }, status: { canViewProfile } }) => canViewProfile && !isGuest,
      load: async () => ({ component: (await import('./lists/profile-posts.tsx')).ProfilePosts }),
    },
  ],
}
