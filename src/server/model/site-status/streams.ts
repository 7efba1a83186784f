import { defineStreamFamily } from '../../kernel/database/events/streams.ts'

/** The activity of a room, received by connections that watch it without being in it. */
export const roomActivityStream = defineStreamFamily('activity')
