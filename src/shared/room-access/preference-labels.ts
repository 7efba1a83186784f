import type { RoomPreference } from '../rooms/rules.ts'

/** The values of a room's preferences in the order of the form. */
export const preferenceLabels: Readonly<Record<RoomPreference, string>> = {
  everyone: 'Herkes',
  members: 'Üyeler',
  premium: "Premium'lar",
  admins: 'Adminler',
}
