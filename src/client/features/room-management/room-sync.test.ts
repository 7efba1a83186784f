import { beforeEach, describe, expect, it } from 'vitest'
import { Kind } from '../../../shared/protocol/frame.ts'
import { SLOW_MODE_TEXT } from '../../../shared/room-management/slow-mode-text.ts'
import { SLOW_MODE_OFF_TEXT, slowModeOnText } from '../../../shared/room-management/texts.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createMessage, createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import { RoomSync } from './room-sync.ts'

let environment: FakeEnvironment
let client: RoomHarness
let toasts: string[]
let backgrounds: (string | null)[]
let lastSeq: number

beforeEach(() => {
  environment = new FakeEnvironment()
  client = new RoomHarness(environment)
  toasts = []
  backgrounds = []
  lastSeq = 200
  const session = { isSelf: (id: number) => id === ADA.id, isRootAdmin: () => false }
  const toast = (text: string) => toasts.push(text)
  const showBackground = ({ backgroundImage }: { backgroundImage: string | null }) => backgrounds.push(backgroundImage)
  new RoomSync({ live: client.live, conversations: client.conversations, session, toast, showBackground })
})

const receive = (name: string, payload: Record<string, unknown>) =>
  environment.transport.receive([Kind.event, ++lastSeq, name, payload])
const setSlowMode = (slowModeSeconds: number, roomId = 1) =>
  receive('roomSettingsUpdated', {
    roomId,
    greetingMessage: null,
    slowModeSeconds,
    backgroundImage: `b${slowModeSeconds}`,
  })
const notice = () => client.conversation.composerNotice.value
const room = { ...createRoomPage().room, slowModeSeconds: 10 }

/** Sends a message that the server accepts and the room receives. */
async function say(text: string, id: number): Promise<void> {
  expect(client.conversation.send(text)).toBeNull()
  environment.transport.answer('sendMessage', { success: true, id, createdAt: environment.now() })
  await flushPromises()
  receive('message', createMessage(id, { senderId: ADA.id, createdAt: environment.now() }))
}

describe('slow mode, predicted', () => {
  it('[MANAGE-06] counts down from an own message on, and holds the next one', async () => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    await client.answerJoin({ room, missed: [] })
    await say('bir', 1001)
    expect(notice()).toEqual({ kind: 'warning', text: SLOW_MODE_TEXT, endsAt: environment.now() + 10_000 })
    await environment.advance(4_000)
    expect(client.conversation.send('iki')?.body).toMatchObject({ code: 'SlowMode', waitMs: 6_000 })
    receive('message', createMessage(1002, { createdAt: environment.now() }))
    expect(notice()?.text).toBe(SLOW_MODE_TEXT)
    await environment.advance(6_000)
    expect(client.conversation.send('iki')).toBeNull()
  })

  it('[MANAGE-06] begins and ends with the setting, and tells those who wait', async () => {
    await client.openRoom()
    await say('bir', 1001)
    setSlowMode(30, 2)
    expect([notice(), toasts, backgrounds]).toEqual([null, [], []])
    setSlowMode(30)
    expect(notice()).toMatchObject({ text: SLOW_MODE_TEXT })
    setSlowMode(0)
    expect(notice()?.text).not.toBe(SLOW_MODE_TEXT)
    expect(toasts).toEqual([slowModeOnText(30), SLOW_MODE_OFF_TEXT])
    expect(client.conversation.send('iki')).toBeNull()
  })

  it('[MANAGE-06] shows the wait that only the server knows', async () => {
    await client.openRoom()
    client.conversation.send('bir')
    environment.transport.refuse('sendMessage', { code: 'SlowMode', message: SLOW_MODE_TEXT, waitMs: 7_000 })
    await flushPromises()
    expect(notice()).toMatchObject({ text: SLOW_MODE_TEXT, endsAt: environment.now() + 7_000 })
  })
})

describe("an admin's rights in the shown room", () => {
  it('[MANAGE-04] end the waits of the chat limits with the first message, and bring them back', async () => {
    client.roomSubscription.openPage(createRoomPage())
    await client.answerHello()
    await client.answerJoin({ room, missed: [], inRoomForMs: 0 })
    expect(client.conversation.send('erken')?.body.code).toBe('JustJoined')
    receive('roomAdminAdded', { roomId: 1, roomName: 'Oda 1', admin: { id: 77 } })
    expect(client.conversation.send('erken')?.body.code).toBe('JustJoined')
    receive('roomAdminAdded', { roomId: 1, roomName: 'Oda 1', admin: { id: ADA.id } })
    await say('hemen', 1001)
    await say('yine', 1002)
    receive('roomAdminRemoved', { roomId: 1, roomName: 'Oda 1', userId: ADA.id })
    expect(client.conversation.send('yine')?.body.code).toBeOneOf(['SlowMode', 'JustJoined'])
    expect(toasts).toEqual(['#Oda 1 odasının admini oldun.', 'Artık #Oda 1 odasının admini değilsin.'])
  })
})
