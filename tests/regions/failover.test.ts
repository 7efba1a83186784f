// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import type { Cluster } from './cluster.ts'
import { ReconnectingClient } from './reconnecting-client.ts'
import { fetchPage, type RegionSession, readMessageContents, signInRootAdmins } from './region-client.ts'
import { fetchStatus } from './region-status.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

const names = ['ist', 'fra', 'sin'] as const
type Name = (typeof names)[number]
/** REG-29: writes are refused for at most this time during a graceful handover. */
const MAX_REFUSED_MS = 2_000
/** REG-26: a command without a route to the primary is refused after this time. */
const COMMAND_HOLD_MS = 2_000
/** REG-34: writes succeed again within this time after kill -9. */
const MAX_FAILOVER_MS = 25_000
/** The log text of a former primary whose commits were lost. */
const LOSS_LOG_TEXT = 'events were lost that this region had committed'
/** Messages that each client gets answered before the fault, and after it. */
const MESSAGES_PER_PHASE = 20

/** Opens three candidates under Consul, each with a client that sends continuously. */
async function openWithSenders() {
  const cluster = await openSiteCluster({ withConsul: true })
  const sessions = await signInRootAdmins(cluster, ...names)
  const first = (await pollUntil('a primary', cluster.primary)) as Name // one of `names`
  const senders = await Promise.all(names.map((name) => createSender(cluster, name, sessions[name])))
  const sending = Promise.all(senders.map((sender) => sender.sendContinuously()))
  sending.catch(() => {}) // handled where the test awaits it
  await waitForAnswers(senders, MESSAGES_PER_PHASE)
  return { cluster, first, senders, sending, others: names.filter((name) => name !== first) }
}

/** A client of its own region, which reconnects to another while that one is down. */
function createSender({ region }: Cluster, own: Name, session: RegionSession): Promise<ReconnectingClient> {
  const elsewhere = names.filter((name) => name !== own).map(region)
  return ReconnectingClient.connect([region(own), ...elsewhere], session)
}

/** Resolves when each sender has this many more answers. */
async function waitForAnswers(senders: ReconnectingClient[], more: number): Promise<void> {
  const goals = senders.map(({ answered }) => answered.length + more)
  await pollUntil(
    `each sender has ${more} more answers`,
    () => senders.every(({ answered }, i) => answered.length >= (goals[i] ?? 0)),
    90_000,
  )
}

async function stopSenders(senders: ReconnectingClient[], sending: Promise<unknown>): Promise<string[]> {
  for (const sender of senders) sender.stopSending()
  await sending
  return senders.flatMap(({ answered }) => answered.map(({ content }) => content))
}

/** Expects every answered message once in the region's copy. */
async function expectAllRows(cluster: Cluster, name: string, answered: string[]): Promise<void> {
  await pollUntil(`${name} has all messages`, () => readMessageContents(cluster.region(name)).length >= answered.length)
  expect(readMessageContents(cluster.region(name)).toSorted()).toEqual(answered.toSorted())
}

describe.skipIf(findMissingTool('litefs', 'consul'))('the primary, under Consul', () => {
  it('[REG-29] [REG-25] [REG-11] hands the lease over on SIGTERM and loses no answered message', async () => {
    const { cluster, first, senders, sending, others } = await openWithSenders()
    const { region } = cluster
    expect(await region(first).signal('SIGTERM')).toBe(0)
    expect(region(first).output()).toContain('handed the lease over')
    await waitForAnswers(senders, MESSAGES_PER_PHASE)
    const answered = await stopSenders(senders, sending)

    for (const sender of senders) {
      const { longestGapMs, refusedForMs } = sender.measureWaits()
      expect(refusedForMs).toBeLessThanOrEqual(MAX_REFUSED_MS)
      expect(longestGapMs).toBeLessThanOrEqual(COMMAND_HOLD_MS + MAX_REFUSED_MS)
      expect(sender.resyncCount).toBe(0)
    }
    const second = await pollUntil('another primary', cluster.primary)
    expect(others).toContain(second)
    await region(first).start()
    for (const name of names) await expectAllRows(cluster, name, answered)
    for (const sender of senders) {
      const ids = sender.receivedMessages().map(({ id }) => id)
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
    }
    expect(region(first).output()).not.toContain(LOSS_LOG_TEXT)
    expect(await fetchStatus(region(first))).toMatchObject({ role: 'replica', primary: second })
  })

  it('[REG-34] replaces a killed primary within 25 s', async () => {
    const { cluster, first, senders, sending, others } = await openWithSenders()
    await cluster.region(first).kill9('both')
    await waitForAnswers(senders, MESSAGES_PER_PHASE)
    const answered = await stopSenders(senders, sending)
    for (const sender of senders) expect(sender.measureWaits().longestGapMs).toBeLessThanOrEqual(MAX_FAILOVER_MS)

    const second = await pollUntil('another primary', cluster.primary)
    expect(others).toContain(second)
    const contents = readMessageContents(cluster.region(second))
    expect(new Set(contents).size).toBe(contents.length)
    await cluster.region(first).start()
    for (const name of names) {
      await pollUntil(
        `${name} has all messages`,
        () => readMessageContents(cluster.region(name)).length === contents.length,
      )
      expect(readMessageContents(cluster.region(name))).toEqual(contents)
    }
    // Replication is asynchronous: the killed primary logs the commits that were lost.
    const lost = answered.filter((content) => !contents.includes(content))
    if (lost.length > 0)
      await pollUntil('the loss is logged', () => cluster.region(first).output().includes(LOSS_LOG_TEXT))
  })

  it('[REG-35] serves reads without a primary while Consul is down, and writes again when it returns', async () => {
    const { cluster, senders, sending } = await openWithSenders()
    await cluster.consul?.kill9()
    await pollUntil('there is no primary', async () => (await cluster.primary()) === null)
    await pollUntil('every sender is refused', () => senders.every(({ refusedAt }) => refusedAt.length > 0))
    for (const region of cluster.regions) {
      for (const { session } of senders) expect((await fetchPage(region, session)).text).toContain(session.username)
      expect(await fetchStatus(region)).toMatchObject({ role: 'replica', primary: null })
    }
    await cluster.consul?.start()
    await waitForAnswers(senders, MESSAGES_PER_PHASE)
    const answered = await stopSenders(senders, sending)
    for (const name of names) await expectAllRows(cluster, name, answered)
  })
})
