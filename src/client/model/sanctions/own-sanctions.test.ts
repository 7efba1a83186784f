import { beforeEach, expect, it } from 'vitest'
import { Kind, type Payload } from '../../../shared/protocol/frame.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { RoomHarness } from '../room-chat/testing/room-harness.ts'
import { OwnSanctions } from './own-sanctions.ts'

let environment: FakeEnvironment
let client: RoomHarness
let own: OwnSanctions
let seq: number

beforeEach(async () => {
  seq = 100
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  own = new OwnSanctions(environment)
  own.watch(client.live)
  await client.openRoom()
})

const receive = (name: string, payload: Payload) => {
  environment.transport.receive([Kind.event, ++seq, name, payload])
  return flushPromises()
}
const muteFor = (roomId: number | null, ms: number | null) => ({
  roomId,
  mute: { roomId, reason: 'Hakaret', endsAt: ms && client.live.serverNow() + ms },
})
const reconnect = async (resumed: boolean) => {
  environment.transport.drop()
  await environment.advance(30_000)
  await client.answerHello({ resumed, ...(resumed && { roomId: 1 }) })
}

it('[SANCTION-07] ends a mute at its time without an event', async () => {
  await receive('ownMuteChanged', muteFor(null, 60_000))
  await receive('ownMuteChanged', muteFor(7, 120_000))
  expect([own.muteLabel(1), own.muteLabel(7), own.muteLabel(null)]).toEqual([
    'Susturuldun',
    'Bu odada susturuldun',
    'Susturuldun',
  ])
  expect(own.muteNotice(null)).toEqual({
    kind: 'warning',
    text: expect.stringMatching(/^Susturuldun\. Sebep: Hakaret\. Bitiş: /),
    endsAt: environment.now() + 60_000,
  })
  await environment.advance(60_000)
  expect([own.muteLabel(1), own.muteLabel(7), own.muteLabel(null)]).toEqual([null, 'Bu odada susturuldun', null])
  await environment.advance(60_000)
  expect(own.mutes.value).toEqual([])
})

it('[SANCTION-09] follows new terms and the lift of a mute', async () => {
  await receive('ownMuteChanged', muteFor(null, null))
  expect(own.muteNotice(1)).toMatchObject({ text: 'Susturuldun. Sebep: Hakaret. Süresiz.', endsAt: null })
  await receive('ownMuteChanged', muteFor(null, 1_000))
  expect(own.mutes.value).toHaveLength(1)
  await receive('ownMuteChanged', { roomId: null, mute: null })
  expect(own.muteLabel(1)).toBeNull()
})

it('[SANCTION-02] shows each warning once, and starts over without a resume', async () => {
  const warning = { id: 1, text: 'Bir', at: 0 }
  await receive('newWarning', warning)
  await receive('newWarning', { id: 2, text: 'İki', at: 0 })
  environment.transport.receive([Kind.ephemeral, 'ownSanctions', { warnings: [warning], mutes: [] }])
  await flushPromises()
  expect(own.warnings.value).toEqual([warning])
  await reconnect(true)
  expect(own.warnings.value).toEqual([warning])
  await reconnect(false)
  expect(own.warnings.value).toEqual([])
})

it('[SANCTION-03] closes a warning that was confirmed elsewhere', async () => {
  await receive('newWarning', { id: 1, text: 'Bir', at: 0 })
  await receive('warningClosed', { id: 1 })
  expect(own.warnings.value).toEqual([])
})
