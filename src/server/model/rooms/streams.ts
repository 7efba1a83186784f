import type { RoomId } from '../../../shared/protocol/ids.ts'
import { defineStreamFamily } from '../../kernel/database/streams.ts'

/** The stream of a room, received by the connections that are in it. */
export const roomStream = defineStreamFamily<RoomId>('room')
