import type { ProfileSection } from '../../model/profiles/profile-section.ts'

export const profileSections: readonly ProfileSection[] = [
  {
    order: 90,
    // That of a guest opens from the menu.
    isShown: ({ actions = [], profile }) => actions.length > 0 && !profile.isGuest,
    load: async () => ({ component: (await import('./action-log.tsx')).ActionLog }),
  },
]
