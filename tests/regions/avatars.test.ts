import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import { RegionClient, type RegionSession, signInGuestIn, signInRootAdmins, uniqueName } from './region-client.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

/** Gives somebody a face in a region, and answers what it is called. */
async function uploadAvatar({ plan }: RegionProcess, { token }: RegionSession, tint: string): Promise<string> {
  const origin = originOf(plan)
  const { buffer } = await createTestPhoto(tint)
  const body = new FormData()
  body.set('avatar', new Blob([new Uint8Array(buffer)]), 'ben.jpg')
  const headers = { Origin: origin, Authorization: `Bearer ${token}` }
  const answer = await fetch(`${origin}/api/users/profile`, { method: 'PUT', headers, body })
  const { user } = (await answer.json()) as { user: { avatarUrl: string } } // the route's schema
  return user.avatarUrl
}

async function fetchAvatar({ plan }: RegionProcess, face: string, cookie?: string): Promise<[number, string | null]> {
  const answer = await fetch(`${originOf(plan)}/uploads/${face}`, { headers: cookie ? { cookie } : {} })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return [answer.status, answer.ok ? bytes.toString('base64') : null]
}

describe.skipIf(findMissingTool('litefs'))('a face in two regions', () => {
  it('[FILE-27] [PROF-10] is shown in each, whichever it was sent to, and told there at once', async () => {
    const cluster = await openSiteCluster({ names: ['ist', 'fra'] })
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const roots = await signInRootAdmins(cluster, 'ist', 'fra')
    for (const [here, there, owner, tint] of [
      [ist, fra, roots.ist, '#7d5ba6'],
      [fra, ist, roots.fra, '#2f7d5b'],
    ] as const) {
      const guest = await signInGuestIn(there, uniqueName('Bakan'))
      const onlooker = await RegionClient.connect(there, guest)
      const face = await uploadAvatar(here, owner, tint)
      const told = () =>
        onlooker.connection.receivedEvents('userProfileUpdated').some(({ user }) => user.avatarUrl === face)
      await pollUntil('the new face is told of', told)
      const [status, bytes] = await fetchAvatar(there, face, guest.cookie)
      expect(status).toBe(200)
      expect(await fetchAvatar(here, face, guest.cookie)).toEqual([200, bytes])
      // A stranger gets it nowhere, and the region has it by now.
      expect([(await fetchAvatar(there, face))[0], (await fetchAvatar(here, face))[0]]).toEqual([401, 401])
    }
  })
})
