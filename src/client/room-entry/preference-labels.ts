import type { RoomPreference } from '../../shared/rooms/rules.ts'

/** The values of a room's preferences in the order of the form. */
export const preferenceOptions: readonly { value: RoomPreference; label: string }[] = [
  { value: 'everyone', label: 'Herkes' },
  { value: 'members', label: 'Üyeler' },
  { value: 'premium', label: "Premium'lar" },
  { value: 'admins', label: 'Adminler' },
]

export function preferenceLabel(preference: RoomPreference): string {
  return preferenceOptions.find(({ value }) => value === preference)?.label ?? ''
}
