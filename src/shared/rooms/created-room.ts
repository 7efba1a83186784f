import * as v from 'valibot'
import { RoomId } from '../protocol/ids.ts'

/** A room as a link in its creator's profile. */
export const CreatedRoom = v.object({ id: RoomId, name: v.string() })
export type CreatedRoom = v.InferOutput<typeof CreatedRoom>
