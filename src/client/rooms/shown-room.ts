import { closePanel } from '../shell/panel.ts'
import { signal } from '../signal.ts'
import { WIDE } from '../ui/use-media.ts'

/** What the shell shows of a room. */
export interface ShownRoom {
  id: number
  name: string
}

/**
 * The room whose page the main part shows; null until its state is there. The shell around the main part stays when
 * people move, and learns of the new room here.
 */
export const shownRoom = signal<ShownRoom | null>(null)

/** Another room's page is in the main part, and its state is there. Sheets close when people move. */
export function showRoom({ id, name }: ShownRoom): void {
  const isMove = shownRoom.peek() !== null
  shownRoom.value = { id, name }
  if (isMove && !matchMedia(WIDE).matches) closePanel()
}
