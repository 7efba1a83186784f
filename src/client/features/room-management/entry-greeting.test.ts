import { beforeEach, describe, expect, it } from 'vitest'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { createRoomPage } from '../../model/room-chat/testing/room-harness.ts'
import { EntryGreeting, type ShownGreeting } from './entry-greeting.ts'

let environment: FakeEnvironment
let shown: (ShownGreeting | null)[]
let isStartShown: boolean

beforeEach(() => {
  environment = new FakeEnvironment()
  shown = []
  isStartShown = false
})

function openTab(): EntryGreeting {
  const card = { showGreeting: (greeting: ShownGreeting | null) => void shown.push(greeting) }
  return new EntryGreeting(
    environment.tabStorage,
    async () => card,
    () => isStartShown,
  )
}

function page(id: number, greetingMessage: string | null) {
  return { ...createRoomPage({ roomId: id }).room, greetingMessage }
}

describe('the greeting of a room', () => {
  it('[MANAGE-05] is shown once an entry: not after a reload, but after another room', async () => {
    const tab = openTab()
    tab.onPageOpened(page(1, 'Hoş geldiniz'))
    tab.onPageOpened(page(1, 'Hoş geldiniz'))
    await flushPromises()
    expect(shown).toEqual([{ roomName: 'Oda 1', text: 'Hoş geldiniz' }])
    openTab().onPageOpened(page(1, 'Hoş geldiniz'))
    await flushPromises()
    expect(shown).toHaveLength(1)
    tab.onPageOpened(page(2, null))
    tab.onPageOpened(page(1, 'Hoş geldiniz'))
    await flushPromises()
    expect(shown.slice(1)).toEqual([null, null, { roomName: 'Oda 1', text: 'Hoş geldiniz' }])
  })

  it('[MANAGE-05] is shown again when it was changed', async () => {
    openTab().onPageOpened(page(1, 'Eski'))
    openTab().onPageOpened(page(1, 'Yeni'))
    await flushPromises()
    expect(shown).toContainEqual({ roomName: 'Oda 1', text: 'Yeni' })
  })

  it('[MANAGE-05] is not shown beside the start of the messages, nor after the viewer has gone on', async () => {
    const tab = openTab()
    isStartShown = true
    tab.onPageOpened(page(1, 'Hoş geldiniz'))
    isStartShown = false
    tab.onPageOpened(page(2, 'Merhaba'))
    tab.onPageOpened(page(3, null))
    await flushPromises()
    expect(shown.filter(Boolean)).toEqual([])
  })
})
