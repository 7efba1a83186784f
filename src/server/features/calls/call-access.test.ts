import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { requestIdOf } from '../../../shared/calls/call-request-id.ts'
import type { NotificationTab } from '../../../shared/notifications/rules.ts'
import { Refusal, type RefusalBody } from '../../../shared/protocol/refusals.ts'
import type { PrivacyChanges } from '../../../shared/settings/rules.ts'
import type { Command } from '../../kernel/database/commands/define-command.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { codeOf, request, respond, ring, sendAnswer, sendOffer } from '../../testing/calls/call-steps.ts'
import { relayIn } from '../../testing/calls/descriptions.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { endSession } from '../accounts/sessions/end-session.ts'
import { setOwnPrivacy } from '../accounts/users/set-own-privacy.ts'
import { banUser } from '../moderation/ban-user.ts'
import { blockUser } from '../relations/block-user.ts'
import { followUser } from '../relations/follow-user.ts'
import { unfollowUser } from '../relations/unfollow-user.ts'
import { recordMissedCall } from './record-missed-call.ts'
import type { RelayCandidate } from './relay/relay-call.ts'
import { encodeMedia, IceClient } from './testing/ice-client.ts'

let region: TestRegion
let ada: TestUser
let can: TestUser
let a: TestClient
let c: TestClient
let turn = 0

beforeAll(async () => {
  region = await openTestRegion({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_RELAY_ADDRESSES: '127.0.0.1' })
})
afterAll(() => region.destroy())
beforeEach(async () => {
  turn++
  ada = await region.createMember(`ada${turn}`)
  can = await region.createMember(`can${turn}`)
  a = await connect(ada)
  c = await connect(can)
})

async function connect(user: TestUser, address?: string): Promise<TestClient> {
  const client = await region.connectAs(user, undefined, address)
  client.transport.ping = () => client.pong()
  return client
}

const actorOf = ({ userId, sessionId }: TestUser) => ({ userId, sessionId })
async function run<I extends object, A extends object>(write: Command<I, A>, actor: TestUser, input: NoInfer<I>) {
  const answer = await region.appContext.execute(write, actorOf(actor), input)
  if (answer instanceof Refusal) throw new Error(answer.body.code)
}
const setPrivacy = (user: TestUser, changes: PrivacyChanges) => run(setOwnPrivacy, user, changes)
const follow = (follower: TestUser, following: TestUser) =>
  run(followUser, follower, { followerId: follower.userId, followingId: following.userId })
const block = (blocker: TestUser, { username }: TestUser) => run(blockUser, blocker, { blockedUsername: username })
const messageOf = (answer: object) => (answer as RefusalBody).message // the test expects a refusal

/** A running call of ada to can, with the relay as each of them sees it. */
async function connectCall() {
  const callId = await ring(a, can.username)
  await sendOffer(a, callId)
  await respond(c, callId, true)
  const ofThis = (payload: Record<string, unknown>) => payload.callId === callId
  const offer = await c.waitForEvent('dmWebRTCOffer', ofThis)
  await sendAnswer(c, callId)
  const answer = await a.waitForEvent('dmWebRTCAnswer', ofThis)
  return { callId, seenByCaller: relayIn(String(answer.sdp)), seenByCallee: relayIn(String(offer.sdp)) }
}

function missedCalls(user: TestUser): object[] {
  const db = openForWriting(region.appContext.config.databaseFile)
  const tab: NotificationTab = 'dmCall'
  const rows = db
    .prepare('select senderId, content, requestId, read from notification where recipientId = ? and tab = ?')
    .all(user.userId, tab)
  db.close()
  return rows as object[] // the columns of the statement
}

describe('permission', () => {
  it('[CALL-02] is decided by the privacy of the callee for the kind of call, and says why not', async () => {
    await setPrivacy(can, { voiceCallPrivacy: 'nobody', videoCallPrivacy: 'followers' })
    const refused = await request(a, can.username)
    expect([codeOf(refused), messageOf(refused)]).toEqual([
      'ContactRefused',
      'Sesli arama yapmak için izniniz yok. Bu kişi hiçkimseden sesli arama almak istemiyor.',
    ])
    expect(messageOf(await request(a, can.username, 'video'))).toBe(
      'Video araması yapmak için izniniz yok. Bu kişi yalnızca takipçilerinden görüntülü arama almak istiyor.',
    )
    await follow(ada, can)
    expect(codeOf(await request(a, can.username, 'video'))).toBeNull()
    expect(c.countEvents('dmVoiceCallRequest')).toBe(0)
    await c.waitForEvent('dmVoiceCallRequest')
  })

  it('[CALL-02] is refused for oneself, across a block, for a wrong name and for the name of another sender', async () => {
    expect(messageOf(await request(a, ada.username))).toBe('Kendini arayamazsın')
    expect(codeOf(await request(a, 'kimseyok'))).toBe('NotFound')
    const named = { recipientUsername: can.username, callType: 'voice' } as const
    expect(codeOf(await a.request('dmVoiceCallRequest', { ...named, recipientId: ada.userId }))).toBe('NotFound')
    expect(codeOf(await a.request('dmVoiceCallRequest', { ...named, senderUsername: can.username }))).toBe(
      'ActorMismatch',
    )
    await block(can, ada)
    expect([codeOf(await request(a, can.username)), codeOf(await request(c, ada.username))]).toEqual([
      ...['ContactRefused', 'ContactRefused'],
    ])
    expect(c.countEvents('dmVoiceCallRequest')).toBe(0)
    expect(missedCalls(can)).toEqual([])
  })

  it('[CALL-02] is the same for guests', async () => {
    const guest = await region.createGuest(`uğrayan${turn}`)
    const g = await connect(guest)
    expect(codeOf(await request(g, can.username))).toBeNull()
    await g.request('dmEndCall', { callId: String((await c.waitForEvent('dmVoiceCallRequest')).callId) })
    expect(codeOf(await request(g, can.username, 'video'))).toBe('ContactRefused')
  })

  it('[CALL-02] is decided again at the acceptance, also where the event of a change was missed', async () => {
    const callId = await ring(a, can.username)
    const db = openForWriting(region.appContext.config.databaseFile)
    db.prepare("update user set voiceCallPrivacy = 'nobody' where id = ?").run(can.userId)
    db.close()
    await respond(c, callId, true)
    for (const client of [a, c])
      expect(await client.waitForEvent('dmEndCall')).toMatchObject({ callId, reason: 'refused' })
    expect(a.countEvents('dmVoiceCallResponse')).toBe(0)
  })

  it('[CALL-03] is not needed by root admins, and the callee is told that it is the staff', async () => {
    const root = await region.createRootAdmin(`kök${turn}`)
    const r = await connect(root)
    await setPrivacy(can, { voiceCallPrivacy: 'nobody' })
    await block(can, root)
    const callId = await ring(r, can.username)
    expect(await c.waitForEvent('dmVoiceCallRequest')).toMatchObject({ callId, isStaff: true })
    expect(await respond(c, callId, true)).toEqual({ success: true })
    expect(await r.waitForEvent('dmVoiceCallResponse')).toMatchObject({ accepted: true })
  })

  it('[CALL-17] that is taken back ends a call that rings, and leaves one that runs', async () => {
    const callId = await ring(a, can.username)
    await setPrivacy(can, { voiceCallPrivacy: 'nobody' })
    for (const client of [a, c])
      expect(await client.waitForEvent('dmEndCall')).toMatchObject({ callId, reason: 'refused' })
    await setPrivacy(can, { voiceCallPrivacy: 'followers' })
    await follow(ada, can)
    const second = await ring(a, can.username)
    await run(unfollowUser, ada, { followerId: ada.userId, followingId: can.userId })
    expect(await c.waitForEvent('dmEndCall', (event) => event.callId === second)).toMatchObject({ reason: 'refused' })
    await setPrivacy(can, { voiceCallPrivacy: 'everyone' })
    const running = await connectCall()
    await setPrivacy(can, { voiceCallPrivacy: 'nobody' })
    expect(await a.request('dmEndCall', { callId: running.callId })).toEqual({ success: true })
    expect(missedCalls(can)).toEqual([])
  })
})

describe('limits', () => {
  it('[CALL-21] stop a user who rings another again and again, unless the calls are accepted', async () => {
    const strict = await openTestRegion({ MEYDAN_RELAY_ADDRESSES: '127.0.0.1' })
    const [one, other] = [await strict.createMember('bir'), await strict.createMember('iki')]
    const [o, p] = [await strict.connectAs(one), await strict.connectAs(other)]
    o.transport.ping = () => o.pong()
    const callAndEnd = async (isAccepted: boolean) => {
      const answer = await request(o, 'iki')
      if (!('callId' in answer)) return codeOf(answer)
      if (isAccepted) await respond(p, answer.callId, true)
      await o.request('dmEndCall', { callId: answer.callId })
      return 'ok'
    }
    for (const isAccepted of [true, true, true, true, true, false, false, false, false])
      expect(await callAndEnd(isAccepted)).toBe('ok')
    expect(await callAndEnd(false)).toBe('RateLimited')
    await strict.destroy()
  })

  it('[CALL-21] stop several accounts of one address that take turns', async () => {
    const strict = await openTestRegion({ MEYDAN_RELAY_ADDRESSES: '127.0.0.1' })
    const target = await strict.createMember('hedef')
    const t = await strict.connectAs(target)
    const codes: (string | null)[] = []
    for (let number = 0; number < 16; number++) {
      const caller = await strict.createMember(`arayan${number}`)
      const client = await strict.connectAs(caller, undefined, '198.51.100.7')
      const answer = await request(client, 'hedef')
      codes.push(codeOf(answer))
      if ('callId' in answer) await respond(t, answer.callId, false)
    }
    expect(codes.filter((code) => code === 'RateLimited')).toHaveLength(4)
    await strict.destroy()
  })
})

describe('a missed call', () => {
  it('[CALL-09] leaves one notification, for the call id alone', async () => {
    const callId = await ring(a, can.username)
    await a.request('dmEndCall', { callId })
    const event = await c.waitForEvent('newNotification')
    expect(event).toMatchObject({
      type: 'dmCall',
      content: 'voice',
      senderId: ada.userId,
      requestId: requestIdOf(callId),
    })
    const again = { callId, callType: 'voice', callerId: ada.userId, calleeId: can.userId } as const
    await region.appContext.execute(recordMissedCall, null, again)
    expect(missedCalls(can)).toHaveLength(1)
    expect(missedCalls(ada)).toEqual([])
  })

  it('[CALL-09] is not recorded for a caller who may not call any more', async () => {
    const call = { callId: crypto.randomUUID(), callType: 'voice', callerId: ada.userId, calleeId: can.userId } as const
    await block(can, ada)
    await region.appContext.execute(recordMissedCall, null, call)
    await setPrivacy(ada, { videoCallPrivacy: 'nobody' })
    const other = {
      callId: crypto.randomUUID(),
      callType: 'video',
      callerId: can.userId,
      calleeId: ada.userId,
    } as const
    await region.appContext.execute(recordMissedCall, null, other)
    expect([missedCalls(can), missedCalls(ada)]).toEqual([[], []])
  })
})

describe('media', () => {
  it('[CALL-25] flow from one browser to the other through the relay, and no longer once the call is over', async () => {
    const { callId, seenByCaller, seenByCallee } = await connectCall()
    const [one, other] = [await IceClient.open(), await IceClient.open()]
    const relay = { transport: 'udp', address: '127.0.0.1', port: seenByCaller.port } as const
    await one.nominate(relay, seenByCaller)
    await other.nominate(relay, seenByCallee)
    await one.send(encodeMedia(7), relay)
    await other.send(encodeMedia(8), relay)
    expect([await other.receive(1), await one.receive(1)]).toEqual([[7], [8]])
    await a.request('dmEndCall', { callId })
    await expectNoMedia(callId, one, other, relay)
    one.close()
    other.close()
  })

  it.each(['block', 'ban', 'log-out'] as const)('[CALL-16] stop with a %s in the moment of its event', async (how) => {
    const { callId, seenByCaller, seenByCallee } = await connectCall()
    const [one, other] = [await IceClient.open(), await IceClient.open()]
    const relay = { transport: 'udp', address: '127.0.0.1', port: seenByCaller.port } as const
    await one.nominate(relay, seenByCaller)
    await other.nominate(relay, seenByCallee)
    await one.send(encodeMedia(1), relay)
    await other.receive(1)
    if (how === 'block') await block(can, ada)
    else if (how === 'log-out') await run(endSession, ada, {})
    else {
      const root = await region.createRootAdmin(`kök${turn}`)
      const ban = { username: ada.username, duration: '10min', banReason: 'Uygunsuz Mesaj' } as const
      await run(banUser, root, ban)
    }
    expect(await c.waitForEvent('dmEndCall')).toMatchObject({ callId, reason: 'refused' })
    await expectNoMedia(callId, one, other, relay)
    // Trust line 1: everything that named the call is refused afterwards.
    expect(codeOf(await c.request('rejoinCall', { callId }))).toBe('NoSuchCall')
    expect(codeOf(await sendAnswer(c, callId, 1))).toBe('NoSuchCall')
    expect(c.countEvents('dmWebRTCOffer')).toBe(1)
    one.close()
    other.close()
  })
})

/** Sends media from both sides of a call that is over; each has received one packet before. */
async function expectNoMedia(callId: string, one: IceClient, other: IceClient, relay: RelayCandidate): Promise<void> {
  // Either side could end a call that runs.
  expect(codeOf(await c.request('dmEndCall', { callId }))).toBe('NoSuchCall')
  const before = [one.media.length, other.media.length]
  for (let number = 0; number < 5; number++) {
    await one.send(encodeMedia(100 + number), relay)
    await other.send(encodeMedia(200 + number), relay)
  }
  await Promise.all([one, other].map((client) => expect(client.receive(2, 200)).rejects.toThrow('packets came')))
  expect([one.media.length, other.media.length]).toEqual(before)
}
