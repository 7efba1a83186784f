import type { RoomId } from '../../../shared/protocol/ids.ts'
import { signal } from '../signals/signal.ts'

/** The fields of a room that the shell shows. */
export interface ShownRoom {
  id: RoomId
  name: string
}

/**
 * The room whose page the main part shows; null until its state is there. The shell around the main part stays when
 * the user moves to another room, and follows this signal.
 */
export const shownRoom = signal<ShownRoom | null>(null)

/** Called when another room's page and its state are in the main part. */
export function showRoom({ id, name }: ShownRoom): void {
  shownRoom.value = { id, name }
}
