import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CALLEE_GONE_MS, RING_TIMEOUT_MS } from '../../../shared/calls/limits.ts'
import { encode } from '../../../shared/protocol/frame.ts'
import { rootAdminStream } from '../../kernel/presence/streams.ts'
import { type CallCluster, type CallRegion, type CallTab, createCallCluster } from '../../testing/calls/call-cluster.ts'
import { codeOf, endOf, request, respond, ring, sendAnswer, sendOffer } from '../../testing/calls/call-steps.ts'
import { fakeTime, pass } from '../../testing/calls/fake-time.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'

const PRESENCE_MS = 300

let database: TestDatabase
let cluster: CallCluster
let ist: CallRegion
let ank: CallRegion
/** In ist, ghost-banned by the tests. */
let ghost: CallTab
/** In ank. */
let can: CallTab
/** In ist. */
let deniz: CallTab

beforeEach(async () => {
  database = await openTestDatabase()
  for (const name of ['hayalet', 'can', 'deniz']) database.addMember(name)
  fakeTime()
  cluster = createCallCluster(database, ['ist', 'ank'])
  ist = cluster.region('ist')
  ank = cluster.region('ank')
  ghost = ist.connect('hayalet', { tabId: 'h1' })
  can = ank.connect('can', { tabId: 'c1' })
  deniz = ist.connect('deniz', { tabId: 'd1' })
  await pass(PRESENCE_MS)
})
afterEach(() => {
  cluster.close()
  vi.useRealTimers()
  database.close()
})

/** The flag that replication brings to each region, and the event. */
async function ban(): Promise<void> {
  database.db.prepare('update user set isGhost = 1 where id = ?').run(ghost.userId)
  const payload = encode({ userId: ghost.userId, username: ghost.username })
  const row = { stream: rootAdminStream, actorId: null, audience: null, name: 'ghostBanned', payload } as const
  for (const { publisher } of cluster.regions) publisher.publish([{ ...row, seq: publisher.cursor() + 1 }])
  await pass()
}

async function over<T>(command: Promise<T>): Promise<T> {
  const answer = command
  await pass()
  return answer
}

/** A call that runs. */
async function connectCall(caller: CallTab, callee: CallTab): Promise<string> {
  const callId = await over(ring(caller, callee.username))
  await over(sendOffer(caller, callId))
  await over(respond(callee, callId, true))
  await over(sendAnswer(callee, callId))
  return callId
}

/** Without ids and times, which differ. */
const shapeOf = (tab: CallTab, from: number) => tab.log.slice(from)
const missed = () => cluster.regions.flatMap((region) => region.missed)
const leftovers = () =>
  cluster.regions.map(({ calls }) => calls.directory.size + calls.host.size + calls.connections.size)

describe('a call of a ghost-banned user', () => {
  it('[GHOSTC-01] is to its caller like one that is not answered, and nobody else gets or keeps anything', async () => {
    const alone: string[][] = []
    for (const isBanned of [false, true]) {
      if (isBanned) await ban()
      const [fromGhost, fromCan] = [ghost.log.length, can.log.length]
      const callId = await over(ring(ghost, 'can'))
      await over(sendOffer(ghost, callId))
      expect(codeOf(await over(request(ghost, 'deniz')))).toBe('CallBusy')
      await pass(RING_TIMEOUT_MS - 1_000)
      expect(endOf(ghost)).toBe(isBanned ? 'unanswered' : null)
      await pass(1_500)
      expect(endOf(ghost)).toBe('unanswered')
      alone.push(shapeOf(ghost, fromGhost))
      expect(can.log.slice(fromCan)).toEqual(isBanned ? [] : ['dmVoiceCallRequest', 'dmEndCall'])
      expect(missed()).toHaveLength(1)
      expect(leftovers()).toEqual([0, 0])
    }
    expect(alone[1]?.map((name) => name.replace(/\d+/, ''))).toEqual(alone[0]?.map((name) => name.replace(/\d+/, '')))
  })

  it('[GHOSTC-01] leaves the callee free for others, in every region, also when it begins to connect', async () => {
    await ban()
    const callId = await over(ring(ghost, 'can'))
    expect(cluster.regions.map(({ calls }) => calls.directory.callsOf(can.userId))).toEqual([[], []])
    const can2 = ank.connect('can')
    const can3 = ist.connect('can')
    await pass(PRESENCE_MS)
    for (const tab of [can, can2, can3]) expect(tab.log.filter((name) => name.startsWith('dm'))).toEqual([])
    for (const accepted of [true, false]) expect(codeOf(await over(respond(can, callId, accepted)))).toBe('NoSuchCall')
    expect(codeOf(await over(can.request('dmEndCall', { callId })))).toBe('NoSuchCall')
    const other = await connectCall(deniz, can)
    expect(can.received('dmVoiceCallRequest')).toMatchObject([{ callId: other }])
    expect(endOf(ghost)).toBeNull()
    await over(ghost.request('dmEndCall', { callId }))
    expect(endOf(ghost)).toBe('hangUp')
    expect([endOf(can), endOf(deniz)]).toEqual([null, null])
    expect(missed()).toEqual([])
  })

  it('[GHOSTC-01] is told as declined or offline as for anybody', async () => {
    await ban()
    await connectCall(deniz, can)
    await over(ring(ghost, 'can'))
    expect(ghost.received('dmVoiceCallResponse')).toMatchObject([{ accepted: false, reason: 'declined' }])
    can.disconnect()
    deniz.disconnect()
    await pass(60_000)
    await over(ring(ghost, 'can'))
    expect(ghost.received('dmVoiceCallResponse')).toMatchObject([{}, { accepted: false, reason: 'offline' }])
    expect(missed()).toEqual([])
  })

  it('[GHOSTC-01] ends as offline when its callee leaves', async () => {
    await ban()
    await over(ring(ghost, 'can'))
    can.disconnect()
    await pass(CALLEE_GONE_MS + 1_500)
    expect(ghost.received('dmVoiceCallResponse')).toMatchObject([{ reason: 'offline' }])
    expect(missed()).toEqual([])
  })
})

describe('a call to a ghost-banned user', () => {
  it('[GHOSTC-02] finds a user who is offline; the user gets nothing', async () => {
    await ban()
    const [fromGhost, hidden] = [ghost.log.length, await over(ring(ghost, 'deniz'))]
    for (const caller of [can, deniz]) {
      await over(ring(caller, 'hayalet'))
      expect(caller.received('dmVoiceCallResponse')).toMatchObject([{ accepted: false, reason: 'offline' }])
    }
    expect(shapeOf(ghost, fromGhost).filter((name) => name.startsWith('dm'))).toEqual([])
    expect(missed()).toEqual([])
    await over(ghost.request('dmEndCall', { callId: hidden }))
    expect(leftovers()).toEqual([0, 0])
  })
})

describe('a call at the time of the ban', () => {
  it('[GHOSTC-03] that runs ends for both as by a hang-up', async () => {
    await connectCall(ghost, can)
    await ban()
    expect([endOf(ghost), endOf(can)]).toEqual(['hangUp', 'hangUp'])
    expect(cluster.regions.map(({ relay }) => relay.openCount())).toEqual([0, 0])
    expect(leftovers()).toEqual([0, 0])
  })

  it.each(['from', 'to'])('[GHOSTC-03] that rings %s the user ends for both as by a hang-up', async (way) => {
    await over(way === 'from' ? ring(ghost, 'can') : ring(can, 'hayalet'))
    await ban()
    expect([endOf(ghost), endOf(can)]).toEqual(['hangUp', 'hangUp'])
    expect(leftovers()).toEqual([0, 0])
  })
})
