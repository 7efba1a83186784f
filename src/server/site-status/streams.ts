import { defineStreamFamily } from '../database/streams.ts'

/** The activity of a room, received by connections that watch it without being in it. */
export const roomActivityStream = defineStreamFamily('activity')
