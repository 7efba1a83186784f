// @module-tag deep
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { connectRootAdmins, RegionClient, signInGuestIn, uniqueName, waitForPresence } from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

/** Sends a request below `/api` with a token. */
async function send({ plan }: RegionProcess, token: string | undefined, method: string, path: string, body?: object) {
  const origin = originOf(plan)
  const headers = { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return (await answer.json()) as Record<string, unknown> // every answer is an object
}

describe.skipIf(findMissingTool('litefs'))('gifts in two regions', () => {
  const openedCluster = shareFileCluster()

  it('[GIFT-03] [GIFT-08] [GIFT-10] are seen in both, and paid at the price that the other region has set', async () => {
    const cluster = openedCluster()
    const [ist, fra] = [cluster.region('ist'), cluster.region('fra')]
    const { ist: giver, fra: recipient } = await connectRootAdmins(cluster, 'ist', 'fra')
    const bystander = await RegionClient.connect(fra, await signInGuestIn(fra, uniqueName('Bakan')))
    const everybody = [giver, recipient, bystander]
    await waitForPresence(everybody, everybody)
    const asked = await send(ist, giver.session.token, 'POST', '/star-requests', {
      starOptionId: 1,
      senderUser: 'Veren',
    })
    const { id } = asked.request as { id: number } // the schema of the route
    await send(ist, giver.session.adminToken, 'POST', `/star-requests/${id}/approve`, {})
    const path = `/users/username/${encodeURIComponent(recipient.session.username)}`
    const found = await send(ist, giver.session.token, 'GET', path)
    const { id: recipientId } = found.user as { id: number } // as above

    const input = { giftKindId: 2, recipientId, roomId: 1, price: 10, clientId: randomUUID() }
    const answer = await giver.connection.request('sendGift', input)
    expect(answer).toMatchObject({ success: true })
    expect(await giver.connection.request('sendGift', input)).toEqual(answer)
    for (const { connection } of everybody)
      await pollUntil('the room sees the gift', () => connection.receivedEvents('giftSent').length === 1)
    await pollUntil('the recipient is told', () => recipient.connection.receivedEvents('giftReceived').length === 1)
    const line = `🎁 Hediye: Gül → @${recipient.session.username}`
    await pollUntil('the line arrives', () => bystander.receivedContents().includes(line))
    expect(bystander.connection.receivedEvents('giftReceived')).toEqual([])
    expect(bystander.connection.receivedEvents('balanceUpdated')).toEqual([])

    const change = { price: 12, status: 'active' }
    expect(await send(fra, recipient.session.adminToken, 'PUT', '/root-admin/gifts/2', change)).toMatchObject({
      success: true,
    })
    const shownBefore = { ...input, clientId: randomUUID() }
    expect(await giver.connection.request('sendGift', shownBefore)).toMatchObject({
      body: { code: 'PriceChanged', price: 12 },
    })
    // 40 lira are left.
    const presses = Array.from({ length: 10 }, () =>
      giver.connection.request('sendGift', { ...input, price: 12, clientId: randomUUID() }),
    )
    const outcomes = await Promise.all(presses)
    expect(outcomes.filter((outcome) => 'success' in outcome)).toHaveLength(3)
    const share = 7 + 3 * 8.4
    await pollUntil('the earned money arrives', () => {
      const last = recipient.connection.receivedEvents('balanceUpdated').at(-1)
      return last?.withdrawable === Math.round(share * 100) / 100
    })
  })
})
