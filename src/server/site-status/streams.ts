import { defineStreamFamily } from '../database/streams.ts'

/** The connections that watch a room from elsewhere. */
export const roomActivityStream = defineStreamFamily('activity')
