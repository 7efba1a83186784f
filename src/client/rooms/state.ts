import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { signal } from '../signal.ts'
import { RoomLine } from './room-line.ts'

/** Keeps this tab in the room that is shown. */
export const roomLine = new RoomLine(browserEnvironment, live)
/** The room whose page is shown has not let us in. */
export const isOutside = signal(false)

roomLine.listen({
  opened: () => setOutside(false),
  joined: () => setOutside(false),
  refused: () => setOutside(true),
})

function setOutside(outside: boolean): void {
  isOutside.value = outside
}
