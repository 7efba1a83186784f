import type { ProfileSection } from '../../model/profiles/profile-section.ts'

export const profileSections: readonly ProfileSection[] = [
  {
    order: 10,
    isShown: ({ createdRooms }) => createdRooms.length > 0,
    load: async () => ({ component: (await import('./created-rooms.tsx')).CreatedRooms }),
  },
]
