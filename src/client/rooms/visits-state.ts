import { session } from '../accounts/session.ts'
import { browserEnvironment } from '../live/environment.ts'
import { live } from '../live/state.ts'
import { effect } from '../signal.ts'
import { shownRoom } from './shown-room.ts'
import { Visits } from './visits.ts'

const visits = new Visits(browserEnvironment, live)

/** Rooms visited in this session where something new was said. */
export const stirredRooms = visits.stirred

if (!import.meta.env.SSR) {
  effect(() => {
    const room = shownRoom.value
    if (room) visits.enter(room.id)
  })
  session.onEnd(() => visits.forget())
}
