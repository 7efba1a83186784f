import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { fetchPage, RegionClient, readMessageContents, signInRootAdmins, waitForContents } from './region-client.ts'
import { listLtxFiles } from './region-status.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

/** More than a page of a room shows, and than one batch commits. */
const BULK_MESSAGE_COUNT = 300
const LINK_DELAY_MS = 300

/** Two regions and somebody in each. */
async function openTwoRegions(env: Record<string, string> = {}) {
  const cluster = await openSiteCluster({ names: ['ist', 'fra'], env })
  const { region } = cluster
  const sessions = await signInRootAdmins(cluster, 'ist', 'fra')
  const speaker = await RegionClient.connect(region('ist'), sessions.ist)
  const listener = await RegionClient.connect(region('fra'), sessions.fra)
  return { cluster, region, speaker, listener }
}

async function sendMany(speaker: RegionClient, count: number, what: string): Promise<string[]> {
  const said = Array.from({ length: count }, (_, i) => `${what} ${i}`)
  await Promise.all(said.map((content) => speaker.sendMessage(content)))
  await waitForContents([speaker], said)
  return said
}

const receivedIds = (person: RegionClient) => person.receivedMessages().map(({ id }) => id)

describe.skipIf(findMissingTool('litefs'))('a region that replicates', () => {
  it('[REG-03] tells its people everything, once and in order, when it comes in bulk', async () => {
    const { cluster, region, speaker, listener } = await openTwoRegions()
    cluster.setCondition('fra', 'stalled')
    const said = await sendMany(speaker, BULK_MESSAGE_COUNT, 'Toplu')
    expect(listener.receivedContents()).toEqual([])
    cluster.resetConditions()
    await waitForContents([listener], said)
    expect(receivedIds(listener)).toEqual(receivedIds(speaker))
    expect(readMessageContents(region('fra'))).toEqual(readMessageContents(region('ist')))
  })

  it('[REG-03] tells them all of it after a snapshot, too', async () => {
    const { cluster, region, speaker, listener } = await openTwoRegions({
      LITEFS_RETENTION: '1s',
      LITEFS_RETENTION_INTERVAL: '1s',
    })
    await speaker.sendMessage('Önce')
    await waitForContents([speaker, listener], ['Önce'])
    cluster.setCondition('fra', 'refused')
    const known = listLtxFiles(region('fra')).at(-1) ?? ''
    await sendMany(speaker, BULK_MESSAGE_COUNT, 'Yokken')
    // What fra would have to go on from is what comes after the last that it knows.
    const isGone = () => !listLtxFiles(region('ist')).some((name) => name <= known)
    await pollUntil('the primary has forgotten', async () => {
      await speaker.sendMessage('Arada')
      return isGone()
    })
    cluster.resetConditions()
    await speaker.sendMessage('Sonra')
    await waitForContents([listener], ['Sonra'])
    expect(region('ist').output()).toContain('writing snapshot')
    await pollUntil('as much is heard', () => listener.receivedMessages().length === speaker.receivedMessages().length)
    expect(receivedIds(listener)).toEqual(receivedIds(speaker))
    expect(readMessageContents(region('fra'))).toEqual(readMessageContents(region('ist')))
  })

  it('[REG-24] shows people what they wrote over a slow link, too', async () => {
    const { cluster, region, speaker, listener } = await openTwoRegions()
    cluster.setCondition('fra', { passesAfterMs: LINK_DELAY_MS })
    const saidAt = performance.now()
    await listener.sendMessage('Yavaşça')
    expect(performance.now() - saidAt).toBeGreaterThan(2 * LINK_DELAY_MS)
    expect((await fetchPage(region('fra'), listener.session)).text).toContain('Yavaşça')
    await waitForContents([speaker, listener], ['Yavaşça'])
    const said = await sendMany(speaker, 20, 'Uzaktan')
    await waitForContents([listener], said)
    expect(receivedIds(listener)).toEqual(receivedIds(speaker))
  })

  it('[REG-24] keeps an answer back until it shows what it tells of, but not for ever', async () => {
    const { cluster, region, speaker, listener } = await openTwoRegions()
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

  it('[REG-03] lets people go on where they were when it was away and is back', async () => {
    const { region, speaker, listener } = await openTwoRegions()
    await speaker.sendMessage('Gitmeden')
    await waitForContents([listener], ['Gitmeden'])
    expect(await region('fra').signal('SIGTERM')).toBe(0)
    const said = await sendMany(speaker, 20, 'Yokken')
    await region('fra').start()
    const back = await RegionClient.connect(region('fra'), listener.session, listener.connection.cursor)
    expect(back.resumed).toBe(true)
    await waitForContents([back], said)
    expect(back.receivedContents()).toEqual(speaker.receivedContents().filter((content) => content !== 'Gitmeden'))
  })
})
