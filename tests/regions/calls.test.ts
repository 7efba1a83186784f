// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { ANSWER, OFFER } from '../../src/server/testing/calls/descriptions.ts'
import type { EventName } from '../../src/shared/protocol/catalogue.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import { expectAnswer } from '../drivers/live-connection.ts'
import { RegionClient, signInGuestIn, uniqueName, waitForPresence } from './region-client.ts'
import { findMissingTool, shareSiteCluster } from './test-cluster.ts'

const received = ({ connection }: RegionClient, name: EventName) =>
  connection.events.filter((event) => event.name === name).map(({ payload }) => payload as Record<string, unknown>)

/** Calls a user, and returns the call's id. */
async function ring(caller: RegionClient, callee: RegionClient): Promise<string> {
  const recipientUsername = callee.session.username
  return expectAnswer(await caller.connection.request('dmVoiceCallRequest', { recipientUsername, callType: 'voice' }))
    .callId
}

/** Rings from one region to another, accepts there and exchanges descriptions. */
async function connectCall(caller: RegionClient, callee: RegionClient): Promise<string> {
  const callId = await ring(caller, callee)
  await pollUntil('it rings', () => received(callee, 'dmVoiceCallRequest').some((event) => event.callId === callId))
  const offer = { callId, negotiation: 1, sdp: OFFER, isNewConnection: false }
  expectAnswer(await caller.connection.request('dmWebRTCOffer', offer))
  expectAnswer(await callee.connection.request('dmVoiceCallResponse', { callId, accepted: true }))
  await pollUntil('the offer arrives', () => received(callee, 'dmWebRTCOffer').some((event) => event.callId === callId))
  expectAnswer(await callee.connection.request('dmWebRTCAnswer', { callId, negotiation: 1, sdp: ANSWER }))
  await pollUntil('the answer arrives', () =>
    received(caller, 'dmWebRTCAnswer').some((event) => event.callId === callId),
  )
  return callId
}

const endOf = (client: RegionClient, callId: string) =>
  received(client, 'dmEndCall').find((event) => event.callId === callId)?.reason

describe.skipIf(findMissingTool('litefs'))('calls across regions', () => {
  const openedCluster = shareSiteCluster({ env: { MEYDAN_RELAY_ADDRESSES: '127.0.0.1' } })

  /** A guest in each of three places: the primary, a replica, and the callee's second device in the primary. */
  async function connectUsers() {
    const { region } = openedCluster()
    const caller = await RegionClient.connect(region('ist'), await signInGuestIn(region('ist'), uniqueName('Arayan')))
    const session = await signInGuestIn(region('sin'), uniqueName('Aranan'))
    const callee = await RegionClient.connect(region('sin'), session)
    const outsider = await RegionClient.connect(region('fra'), await signInGuestIn(region('fra'), uniqueName('Bakan')))
    await waitForPresence([caller, callee], [caller, callee, outsider])
    return { caller, callee, session, outsider }
  }

  it('[CALL-01] [CALL-19] ring in two regions, are accepted in one and end in both', async () => {
    const { caller, callee, session, outsider } = await connectUsers()
    const second = await RegionClient.connect(openedCluster().region('fra'), session)
    const callId = await connectCall(caller, callee)
    await pollUntil('the other device stops', () => endOf(second, callId) === 'answeredElsewhere')
    expect(await outsider.connection.request('dmEndCall', { callId })).toBeInstanceOf(Refusal)
    expectAnswer(await caller.connection.request('dmEndCall', { callId }))
    await pollUntil('it ends', () => endOf(callee, callId) === 'hangUp')
    expect(outsider.connection.events.filter(({ name }) => name.startsWith('dm'))).toEqual([])
    const again = await ring(callee, caller)
    expectAnswer(await callee.connection.request('dmEndCall', { callId: again }))
    await pollUntil('the missed call is recorded', () =>
      received(caller, 'newNotification').some(({ type }) => type === 'dmCall'),
    )
    for (const client of [caller, callee, second, outsider]) client.connection.terminate()
  })

  it('[CALL-20] end with the region that hosts them, and the caller may call again', async () => {
    const { caller, callee, outsider } = await connectUsers()
    const callId = await connectCall(caller, callee)
    const host = openedCluster().region('sin')
    await host.kill9('site')
    await pollUntil('the caller is told', () => endOf(caller, callId) === 'regionLost', 60_000)
    // Another region may hear of the loss a moment later, and refuses with CallBusy until then.
    const next = await pollUntil('the caller may call again', () => ring(caller, outsider).catch(() => null))
    expectAnswer(await outsider.connection.request('dmVoiceCallResponse', { callId: next, accepted: true }))
    await pollUntil('it is accepted', () =>
      received(caller, 'dmVoiceCallResponse').some((event) => event.callId === next && event.accepted === true),
    )
    await host.start()
    for (const client of [caller, outsider]) client.connection.terminate()
  })
})
