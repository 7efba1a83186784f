import type { RoomId } from '../../shared/protocol/ids.ts'
import { signal } from '../signal.ts'

/** What the shell shows of a room. */
export interface ShownRoom {
  id: RoomId
  name: string
}

/**
 * The room whose page the main part shows; null until its state is there. The shell around the main part stays when
 * people move, and learns of the new room here.
 */
export const shownRoom = signal<ShownRoom | null>(null)

/** Another room's page is in the main part, and its state is there. */
export function showRoom({ id, name }: ShownRoom): void {
  shownRoom.value = { id, name }
}
