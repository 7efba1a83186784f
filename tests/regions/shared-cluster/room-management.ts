// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { RegionClient, type RegionSession, signInGuestIn, signInRootAdmins, uniqueName } from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

/** Sends a request below `/api`, and resolves with its answer or refusal. */
async function post(
  { plan }: RegionProcess,
  token: string | null,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const origin = originOf(plan)
  const headers = { origin, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${origin}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as Record<string, unknown> // every answer below /api is an object
}

async function registerIn(region: RegionProcess): Promise<RegionSession & { id: number }> {
  const username = uniqueName('Ekipten')
  const account = { username, password: 'uzun bir parola', age: 30, termsAccepted: true, lastLoginPlatform: 'web' }
  const { token, user } = await post(region, null, '/users/register', account)
  return { username, token: String(token), cookie: '', id: (user as { id: number }).id } // the route's schema
}

describe.skipIf(findMissingTool('litefs'))('a room that is run from two regions', () => {
  const openedCluster = shareFileCluster()

  it('[MANAGE-04] [MANAGE-10] gives and takes rights at once, and gets one popup a minute', async () => {
    const cluster = openedCluster()
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const roots = await signInRootAdmins(cluster, 'ist')
    const near = await RegionClient.connect(ist, roots.ist)
    const member = await registerIn(fra)
    const far = await RegionClient.connect(fra, member)
    const guest = await RegionClient.connect(fra, await signInGuestIn(fra, uniqueName('Bakan')))
    const inRoom = { roomId: 1, userId: member.id }
    const slowDown = (slowModeSeconds: number) =>
      post(fra, member.token, '/rooms/set-slow-mode', { roomId: 1, slowModeSeconds })

    expect(await slowDown(5)).toMatchObject({ code: 'Forbidden' })
    expect(await post(ist, roots.ist.token, '/rooms/add-admin', inRoom)).toMatchObject({ success: true })
    for (const { connection } of [near, far, guest])
      await pollUntil('the new admin is told of', () => connection.receivedEvents('roomAdminAdded').length === 1)
    expect(await slowDown(5)).toEqual({ success: true })
    await pollUntil('the setting is received', () =>
      near.connection.receivedEvents('roomSettingsUpdated').some(({ slowModeSeconds }) => slowModeSeconds === 5),
    )

    const popups = await Promise.all([
      post(ist, roots.ist.token, '/rooms/send-popup', { roomId: 1, message: 'Yakından' }),
      post(fra, member.token, '/rooms/send-popup', { roomId: 1, message: 'Uzaktan' }),
    ])
    expect(popups.filter(({ success }) => success)).toHaveLength(1)
    expect(popups.filter(({ code }) => code === 'RateLimited')).toHaveLength(1)

    expect(await post(ist, roots.ist.token, '/rooms/remove-admin', inRoom)).toMatchObject({ success: true })
    for (const { connection } of [near, far, guest])
      await pollUntil('the former admin is told of', () => connection.receivedEvents('roomAdminRemoved').length === 1)
    expect(await slowDown(0)).toMatchObject({ code: 'Forbidden' })
    for (const { connection } of [near, far, guest])
      expect(connection.receivedEvents('popupNotification')).toHaveLength(1)
    // Other tests write in this room too.
    const config = { roomId: 1, slowModeSeconds: 0 }
    expect(await post(ist, roots.ist.token, '/rooms/set-slow-mode', config)).toEqual({ success: true })
  })
})
