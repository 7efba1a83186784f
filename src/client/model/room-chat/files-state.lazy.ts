import { outbox } from '../../core/live/state.ts'
import { fileOutbox } from '../conversation/media/state.ts'
import { RoomFiles } from './room-files.ts'

export const roomFiles = new RoomFiles(fileOutbox, outbox)
