import type { RoomId } from '../../shared/protocol/ids.ts'
import { defineStreamFamily } from '../database/streams.ts'

/** The connections that are in a room. */
export const roomStream = defineStreamFamily<RoomId>('room')
