import type { ProfileSection } from '../../model/profiles/profile-section.ts'

export const profileSections: readonly ProfileSection[] = [
  {
    order: 15,
    isShown: ({ gifts, status }) => gifts !== undefined && !status.hasBlockedProfile && !status.isBlockedByProfile,
    load: async () => ({ component: (await import('./received-gifts.tsx')).ReceivedGifts }),
  },
]
