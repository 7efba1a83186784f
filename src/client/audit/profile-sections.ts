import type { ProfileSection } from '../profiles/profile-section.ts'

export const profileSections: readonly ProfileSection[] = [
  {
    order: 90,
    isShown: ({ actions = [] }) => actions.length > 0,
    load: async () => ({ component: (await import('./action-log.tsx')).ActionLog }),
  },
]
