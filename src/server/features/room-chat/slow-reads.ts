import { findLargeRooms, measureRoomStep } from './measure-rooms.ts'
import { searchMessages } from './search-messages.ts'

export const slowReads = { searchMessages, findLargeRooms, measureRoomStep }

type OwnReads = typeof slowReads
declare module '../../kernel/database/define-slow-reads.ts' {
  interface SlowReads extends OwnReads {}
}
