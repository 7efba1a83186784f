import { preferenceLabels } from '../../../shared/room-access/preference-labels.ts'
import { ROOM_PREFERENCES, type RoomPreference } from '../../../shared/rooms/rules.ts'

/** The values of a room's preferences in the order of the form. */
export const preferenceOptions: readonly { value: RoomPreference; label: string }[] = ROOM_PREFERENCES.map((value) => ({
  value,
  label: preferenceLabels[value],
}))

export function preferenceLabel(preference: RoomPreference): string {
  return preferenceLabels[preference]
}
