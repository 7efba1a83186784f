// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import type { Cluster } from './cluster.ts'
import { connectRootAdmins, fetchPage, RegionClient, readMessageContents, waitForContents } from './region-client.ts'
import { listLtxFiles } from './region-status.ts'
import { findMissingTool, openSiteCluster, shareSiteCluster } from './test-cluster.ts'

/** More than a page of a room holds and than one batch commits. */
const BULK_MESSAGE_COUNT = 300
const LINK_DELAY_MS = 300

const names = ['ist', 'fra']

/** Connects a client to each of the two regions: the speaker to the primary, the listener to the replica. */
async function connectClients(cluster: Cluster) {
  const { ist: speaker, fra: listener } = await connectRootAdmins(cluster, 'ist', 'fra')
  return { cluster, region: cluster.region, speaker, listener }
}

async function sendMany(speaker: RegionClient, count: number, prefix: string): Promise<string[]> {
  const contents = Array.from({ length: count }, (_, i) => `${prefix} ${i}`)
  await Promise.all(contents.map((content) => speaker.sendMessage(content)))
  await waitForContents([speaker], contents)
  return contents
}

const receivedIds = (client: RegionClient) => client.receivedMessages().map(({ id }) => id)

describe.skipIf(findMissingTool('litefs'))('a region that replicates', () => {
  const openedCluster = shareSiteCluster({ names })

  it('[REG-03] delivers every message of a bulk replication once and in order', async () => {
    const { cluster, region, speaker, listener } = await connectClients(openedCluster())
    cluster.setCondition('fra', 'stalled')
    const contents = await sendMany(speaker, BULK_MESSAGE_COUNT, 'Toplu')
    expect(listener.receivedContents()).toEqual([])
    cluster.resetConditions()
    await waitForContents([listener], contents)
    expect(receivedIds(listener)).toEqual(receivedIds(speaker))
    expect(readMessageContents(region('fra'))).toEqual(readMessageContents(region('ist')))
  })

  it('[REG-24] shows a client its own change over a slow link', async () => {
    const { cluster, region, speaker, listener } = await connectClients(openedCluster())
    cluster.setCondition('fra', { passesAfterMs: LINK_DELAY_MS })
    const sentAtMs = performance.now()
    await listener.sendMessage('Yavaşça')
    expect(performance.now() - sentAtMs).toBeGreaterThan(2 * LINK_DELAY_MS)
    expect((await fetchPage(region('fra'), listener.session)).text).toContain('Yavaşça')
    await waitForContents([speaker, listener], ['Yavaşça'])
    const contents = await sendMany(speaker, 20, 'Uzaktan')
    await waitForContents([listener], contents)
    expect(receivedIds(listener)).toEqual(receivedIds(speaker))
  })

  it('[REG-24] holds an answer until the region shows the change, and answers with `behind` when replication stalls', async () => {
    const { cluster, region, speaker, listener } = await connectClients(openedCluster())
    cluster.setCondition('fra', { passesAfterMs: LINK_DELAY_MS }, ['litefs'])
    for (const word of ['Bir', 'İki', 'Üç']) {
      expect(await listener.sendMessage(word)).not.toHaveProperty('behind')
      expect((await fetchPage(region('fra'), listener.session)).text).toContain(word)
    }
    cluster.setCondition('fra', 'stalled', ['litefs'])
    expect(await listener.sendMessage('Geciken')).toMatchObject({ behind: true })
    await waitForContents([speaker], ['Geciken'])
    expect((await fetchPage(region('fra'), listener.session)).text).not.toContain('Geciken')
    cluster.resetConditions()
    await waitForContents([listener], ['Geciken'])
    expect(receivedIds(listener)).toEqual(receivedIds(speaker))
  })

  it('[REG-03] resumes a client from its cursor after its region restarts', async () => {
    const { region, speaker, listener } = await connectClients(openedCluster())
    await speaker.sendMessage('Gitmeden')
    await waitForContents([listener], ['Gitmeden'])
    expect(await region('fra').signal('SIGTERM')).toBe(0)
    const contents = await sendMany(speaker, 20, 'Yokken')
    await region('fra').start()
    const returned = await RegionClient.connect(region('fra'), listener.session, listener.connection.cursor)
    expect(returned.resumed).toBe(true)
    await waitForContents([returned], contents)
    expect(returned.receivedContents()).toEqual(speaker.receivedContents().filter((content) => content !== 'Gitmeden'))
  })
})

describe.skipIf(findMissingTool('litefs'))('a region that was away for longer than transactions are kept', () => {
  it('[REG-03] delivers every message once and in order after a snapshot', async () => {
    const cluster = await openSiteCluster({
      names,
      env: { LITEFS_RETENTION: '1s', LITEFS_RETENTION_INTERVAL: '1s' },
    })
    const { region, speaker, listener } = await connectClients(cluster)
    await speaker.sendMessage('Önce')
    await waitForContents([speaker, listener], ['Önce'])
    cluster.setCondition('fra', 'refused')
    const lastOfFra = listLtxFiles(region('fra')).at(-1) ?? ''
    await sendMany(speaker, BULK_MESSAGE_COUNT, 'Yokken')
    // Without the transactions after fra's last one, the primary must send a snapshot.
    const isPruned = () => !listLtxFiles(region('ist')).some((name) => name <= lastOfFra)
    await pollUntil('the primary has pruned its transactions', async () => {
      await speaker.sendMessage('Arada')
      return isPruned()
    })
    cluster.resetConditions()
    await speaker.sendMessage('Sonra')
    await waitForContents([listener], ['Sonra'])
    expect(region('ist').output()).toContain('writing snapshot')
    await pollUntil(
      'the listener has as many messages',
      () => listener.receivedMessages().length === speaker.receivedMessages().length,
    )
    expect(receivedIds(listener)).toEqual(receivedIds(speaker))
    expect(readMessageContents(region('fra'))).toEqual(readMessageContents(region('ist')))
  })
})
