import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { createTestPhoto } from '../../fixtures/test-photo.ts'
import { RegionClient, type RegionSession, signInGuestIn, signInRootAdmins, uniqueName } from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

/** Uploads an avatar in a region and returns its file name. */
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

async function fetchAvatar(
  { plan }: RegionProcess,
  avatarUrl: string,
  cookie?: string,
): Promise<[number, string | null]> {
  const answer = await fetch(`${originOf(plan)}/uploads/${avatarUrl}`, { headers: cookie ? { cookie } : {} })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return [answer.status, answer.ok ? bytes.toString('base64') : null]
}

describe.skipIf(findMissingTool('litefs'))('an avatar in two regions', () => {
  const openedCluster = shareFileCluster()

  it('[FILE-27] [PROF-10] serves a new avatar in both regions and announces it in the other, whichever received the upload', async () => {
    const cluster = openedCluster()
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const roots = await signInRootAdmins(cluster, 'ist', 'fra')
    for (const [uploadRegion, otherRegion, owner, tint] of [
      [ist, fra, roots.ist, '#7d5ba6'],
      [fra, ist, roots.fra, '#2f7d5b'],
    ] as const) {
      const guest = await signInGuestIn(otherRegion, uniqueName('Bakan'))
      const observer = await RegionClient.connect(otherRegion, guest)
      const avatarUrl = await uploadAvatar(uploadRegion, owner, tint)
      const isAnnounced = () =>
        observer.connection.receivedEvents('userProfileUpdated').some(({ user }) => user.avatarUrl === avatarUrl)
      await pollUntil('the new avatar is announced', isAnnounced)
      const [status, bytes] = await fetchAvatar(otherRegion, avatarUrl, guest.cookie)
      expect(status).toBe(200)
      expect(await fetchAvatar(uploadRegion, avatarUrl, guest.cookie)).toEqual([200, bytes])
      // Both regions have the file by now and refuse it without a session.
      expect([(await fetchAvatar(otherRegion, avatarUrl))[0], (await fetchAvatar(uploadRegion, avatarUrl))[0]]).toEqual(
        [401, 401],
      )
    }
  })
})
