// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { RegionClient, signInRootAdmins, uniqueName, updateRegionDatabase } from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

/** Sends a request below `/api` with a token. */
async function send({ plan }: RegionProcess, token: string | undefined, path: string, body: object = {}) {
  const origin = originOf(plan)
  const headers = { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> } // every answer is an object
}

async function registerIn(region: RegionProcess): Promise<{ username: string; token: string; cookie: string }> {
  const fields = { password: 'uzun bir parola', age: 30, termsAccepted: true, lastLoginPlatform: 'web' }
  const username = uniqueName('Üye')
  const { body } = await send(region, '', '/users/register', { username, ...fields })
  return { username, token: String(body.token), cookie: '' }
}

describe.skipIf(findMissingTool('litefs'))('the wallet in two regions', () => {
  const openedCluster = shareFileCluster()

  it('[STAR-08] [PREM-06] [PREM-11] a load approved in both regions pays once, and premium begins and ends in both', async () => {
    const cluster = openedCluster()
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const roots = await signInRootAdmins(cluster, 'ist', 'fra')
    const member = await registerIn(fra)
    const [own, other] = [await RegionClient.connect(fra, member), await RegionClient.connect(ist, roots.ist)]

    const asked = await send(fra, member.token, '/star-requests', { starOptionId: 1, senderUser: 'Üye' })
    const { id } = asked.body.request as { id: number } // the schema of the route
    const isKnown = async () =>
      (await send(ist, member.token, `/star-requests/${id}/approve`)).body.code === 'Forbidden'
    await pollUntil('the other region knows the session', isKnown)
    await pollUntil('the root admin hears of it', () => other.connection.receivedEvents('newStarRequest').length === 1)
    const presses = Array.from({ length: 10 }, (_, press) => {
      const [region, root] = press % 2 ? [ist, roots.ist] : [fra, roots.fra]
      return send(region, root.adminToken, `/star-requests/${id}/approve`)
    })
    const answers = await Promise.all(presses)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(answers.filter(({ body }) => body.code === 'RequestDecided')).toHaveLength(9)
    await pollUntil('the balance arrives', () => own.connection.receivedEvents('balanceUpdated').length === 1)
    expect(own.connection.receivedEvents('balanceUpdated')).toEqual([{ balance: 50, withdrawable: 0 }])

    const purchases = Array.from({ length: 10 }, (_, press) =>
      send(press % 2 ? ist : fra, member.token, '/users/upgrade-to-premium'),
    )
    const bought = await Promise.all(purchases)
    expect(bought.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    const statuses = (client: RegionClient) =>
      client.connection
        .receivedEvents('userProfileUpdated')
        .filter(({ user }) => user.username === member.username)
        .map(({ user }) => user.premiumStatus)
    for (const client of [own, other]) await pollUntil('premium is seen', () => statuses(client).includes('premium'))

    updateRegionDatabase(
      cluster.region(await pollUntil('a primary', cluster.primary)),
      'update user set premiumUntil = ? where username = ?',
      Date.now() + 500,
      member.username,
    )
    for (const client of [own, other]) await pollUntil('its end is seen', () => statuses(client).at(-1) === 'guest')
    for (const client of [own, other]) expect(statuses(client)).toEqual(['premium', 'guest'])
    expect(other.connection.receivedEvents('balanceUpdated')).toEqual([])
  })
})
