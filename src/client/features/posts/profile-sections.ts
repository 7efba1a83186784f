import type { ProfileSection } from '../../model/profiles/profile-section.ts'

export const profileSections: readonly ProfileSection[] = [
  {
    order: 20,
    // Guests have no posts.
    isShown: ({ profile: { isGuest }, status: { canViewProfile } }) => canViewProfile && !isGuest,
    load: async () => ({ component: (await import('./profile-posts.tsx')).ProfilePosts }),
  },
]
