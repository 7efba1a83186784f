import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import type { RegionSession } from './region-client.ts'

/** Uploads a picture for a room, or for a direct message without one, and returns its id. */
export async function uploadPicture(
  { plan }: RegionProcess,
  { token }: RegionSession,
  roomId?: number,
): Promise<number> {
  const origin = originOf(plan)
  const body = new FormData()
  if (roomId !== undefined) body.set('roomId', String(roomId))
  body.set('media', new Blob([new Uint8Array((await createTestPhoto()).buffer)]), 'foto.jpg')
  const headers = { Origin: origin, Authorization: `Bearer ${token}` }
  const path = roomId === undefined ? '/api/dm/upload-media' : '/api/media/upload'
  const answer = await fetch(origin + path, { method: 'POST', headers, body })
  return ((await answer.json()) as { mediaId: number }).mediaId // the route's schema
}

/** Requests a file below `/uploads/` with a session. */
export function fetchFile({ plan }: RegionProcess, path: string, { cookie }: RegionSession): Promise<Response> {
  return fetch(originOf(plan) + path, { headers: { cookie } })
}
