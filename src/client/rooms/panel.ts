import { signal } from '../signal.ts'

/**
 * Which side panel is open; one at most (specification 2, point 2, "Side panels"). `byWidth` is how a page begins:
 * the people of the room on a wide screen, none on another.
 */
export type Panel = 'byWidth' | 'none' | 'roomActiveUsers'

export const panel = signal<Panel>('byWidth')

/** Whether the people of the room are on the screen. */
export function isPeopleOpen(state: Panel, isWide: boolean): boolean {
  return state === 'roomActiveUsers' || (state === 'byWidth' && isWide)
}
