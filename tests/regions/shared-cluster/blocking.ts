// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import { fetchPage, RegionClient, type RegionSession, signInRootAdmins, waitForContents } from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

async function postBlock(
  { plan }: RegionProcess,
  { token }: RegionSession,
  action: 'block' | 'unblock',
  blockedUsername: string,
) {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api/users/${action}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ blockedUsername }),
  })
  expect(await answer.json()).toEqual({ success: true })
}

describe.skipIf(findMissingTool('litefs'))('a block in one region', () => {
  const openedCluster = shareFileCluster()

  it("[NOTE-27] [REL-04] [REL-07] [REL-09] [REL-11] applies a block to the blocker's connections in every region and to no other user", async () => {
    const cluster = openedCluster()
    const { region, regions } = cluster
    const sessions = await signInRootAdmins(cluster, 'fra', 'ist', 'sin')
    const ada = await Promise.all(['fra', 'sin'].map((name) => RegionClient.connect(region(name), sessions.fra)))
    const can = await RegionClient.connect(region('sin'), sessions.sin)
    const deniz = await RegionClient.connect(region('ist'), sessions.ist)
    await can.sendMessage('Önce')
    await waitForContents([...ada, can, deniz], ['Önce'])

    await postBlock(region('fra'), sessions.fra, 'block', sessions.sin.username)
    for (const { connection } of [...ada, can]) {
      await pollUntil('both receive the block', () => connection.receivedEvents('userBlocked').length === 1)
    }
    await can.sendMessage('Engelliyken')
    await deniz.sendMessage('Arada')
    await waitForContents([can, deniz], ['Engelliyken', 'Arada'])
    await waitForContents(ada, ['Arada'])
    const pages = async (session: RegionSession) =>
      Promise.all(regions.map(async (each) => (await fetchPage(each, session)).text.includes('Engelliyken')))
    expect(await pages(sessions.fra)).toEqual(regions.map(() => false))
    expect(await pages(sessions.ist)).toEqual(regions.map(() => true))

    await postBlock(region('sin'), sessions.fra, 'unblock', sessions.sin.username)
    for (const { connection } of ada)
      await pollUntil('the block is lifted', () => connection.receivedEvents('userUnblocked').length === 1)
    await can.sendMessage('Sonra')
    await waitForContents([...ada, can, deniz], ['Sonra'])
    for (const client of ada) expect(client.receivedContents()).toEqual(['Önce', 'Arada', 'Sonra'])
    expect(await pages(sessions.fra)).toEqual(regions.map(() => true))
    // A mention reaches the connections in every region, and so does its end.
    await deniz.sendMessage(`@[${sessions.fra.username}] bak`)
    for (const { connection } of ada)
      await pollUntil('the mention', () => connection.receivedEvents('newNotification').length === 1)
    const [mention] = ada[0]?.connection.receivedEvents('newNotification') ?? []
    expect(mention).toMatchObject({ type: 'mention', senderUsername: sessions.ist.username, unread: { mention: 1 } })
    await ada[1]?.connection.request('notificationRead', { notificationId: mention?.id ?? 0, remove: true })
    for (const { connection } of ada)
      await pollUntil('it is read', () => connection.receivedEvents('notificationsRead').length === 1)
    for (const { connection } of [can, deniz]) expect(connection.receivedEvents('newNotification')).toEqual([])
    expect([
      ...deniz.connection.receivedEvents('userBlocked'),
      ...deniz.connection.receivedEvents('userUnblocked'),
    ]).toEqual([])
  })
})
