import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Media } from '../../../shared/media/media.ts'
import { Kind, type Payload } from '../../../shared/protocol/frame.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import type { ConversationFiles } from '../conversation/media/conversation-files.ts'
import { outgoingFile } from '../conversation/media/testing/fake-files.ts'
import { bubblesOf } from '../conversation/store/merge-messages.ts'
import { createMessage, createRoomPage, RoomHarness } from './testing/room-harness.ts'

const PATH = { path: '/media/upload', fields: { roomId: 1 } }

function mediaOf(mediaId: number): Media {
  return {
    mediaId,
    mediaType: 'image',
    originalPath: `/uploads/${mediaId}.webp`,
    thumbnailPath: `/uploads/${mediaId}-small.webp`,
    width: 40,
    height: 30,
    durationMs: null,
    blur: null,
    waveform: null,
  }
}

let environment: FakeEnvironment
let client: RoomHarness
let files: ConversationFiles

beforeEach(() => openPage())

/** Loads the page of room 1; with `before` it reloads that tab. */
async function openPage(before?: RoomHarness): Promise<void> {
  environment = new FakeEnvironment(before?.environment)
  client = new RoomHarness(environment, before?.device)
  await client.openRoom()
  await loadFiles()
}

async function loadFiles(): Promise<void> {
  await client.conversation.loadFiles()
  await flushPromises()
  files = client.conversation.files.value ?? expect.unreachable()
}

const shown = () =>
  client.conversation.bubbles.value.map(({ content, status, media }) => [content, status, media?.upload?.state])
const sent = (): Payload[] =>
  environment.transport.sent.flatMap((value) =>
    value[0] === Kind.request && value[2] === 'sendMessage' ? [value[3]] : [],
  )

async function pick(...names: string[]): Promise<void> {
  files.drafts.add(names.map((name) => new File([new Uint8Array(10)], name, { type: 'image/png' })))
  await flushPromises()
}

async function endUpload(mediaId = 7): Promise<void> {
  client.device.upload.end(mediaOf(mediaId))
  await flushPromises()
}

async function receive(name: string, payload: Payload, seq: number): Promise<void> {
  environment.transport.receive([Kind.event, seq, name as never, payload as never]) // what the server sends
  await flushPromises()
}

describe('sending files to a room', () => {
  it('[CHATMEDIA-13] uploads the file of each message before it, in their order, the text with the first', async () => {
    await pick('bir.png', 'iki.png')
    expect(files.drafts.list.value.map(({ name, isReady }) => [name, isReady])).toEqual([
      ['bir.png', true],
      ['iki.png', true],
    ])
    expect(client.conversation.send('Bak')).toBeNull()
    expect(client.conversation.send('Sonra')).toBeNull()
    await flushPromises()
    expect(shown()).toEqual([
      ['Bak', 'pending', 'uploading'],
      ['', 'pending', 'waiting'],
      ['Sonra', 'pending', undefined],
    ])
    expect([client.device.uploads.length, client.device.upload.target, sent()]).toEqual([1, PATH, []])
    await endUpload(7)
    const [first] = sent()
    expect(first).toMatchObject({ roomId: 1, content: 'Bak', mediaId: 7, clientId: client.device.upload.key })
    environment.transport.answer('sendMessage', { success: true, id: 1, createdAt: environment.now() })
    await flushPromises()
    await endUpload(8)
    expect(sent().at(-1)).toMatchObject({ content: '', mediaId: 8 })
    environment.transport.answer('sendMessage', { success: true, id: 2, createdAt: environment.now() })
    await flushPromises()
    expect(sent().at(-1)).toMatchObject({ content: 'Sonra' })
    expect(sent().at(-1)).not.toHaveProperty('mediaId')
    expect(shown().map(([content, status]) => [content, status])).toEqual([
      ['Bak', 'sent'],
      ['', 'sent'],
      ['Sonra', 'pending'],
    ])
  })

  it('[CHATMEDIA-13] shows the file of the server in the place of the local one, and frees that', async () => {
    await files.sendFile(outgoingFile())
    await flushPromises()
    const { key } = client.device.upload
    expect(client.conversation.bubbles.value[0]?.media?.originalPath).toMatch(/^blob:/)
    await endUpload()
    environment.transport.answer('sendMessage', { success: true, id: 1, createdAt: environment.now() })
    const media = mediaOf(7)
    await receive('message', createMessage(1, { senderId: ADA.id, clientId: key, content: '', media, mediaId: 7 }), 101)
    expect(client.conversation.bubbles.value).toMatchObject([{ key, id: 1, media }])
    await environment.advance(30_000)
    expect([client.device.urls.size, client.device.stored.size]).toEqual([0, 0])
  })

  it('[CHATMEDIA-13] goes on after a reload, once the room is entered, and sends one message', async () => {
    await pick('bir.png')
    client.conversation.send('')
    await flushPromises()
    const { key } = client.device.upload
    client.device.upload.onUploadId('u1')
    await flushPromises()
    const before = client
    environment = new FakeEnvironment(before.environment)
    client = new RoomHarness(environment, before.device)
    // The part for files may be there before the page is open.
    const early = client.conversations.get(1).loadFiles()
    await early
    await client.openRoom()
    await flushPromises()
    expect(shown()).toEqual([['', 'pending', 'uploading']])
    expect(client.device.upload).toMatchObject({ key, uploadId: 'u1' })
    await endUpload()
    expect(sent()).toMatchObject([{ clientId: key, mediaId: 7 }])
  })

  it('[CHATMEDIA-13] uploads a file again whose upload has expired, when the viewer tries again', async () => {
    await files.sendFile(outgoingFile())
    await flushPromises()
    await endUpload(7)
    environment.transport.refuse('sendMessage', { code: 'MediaNotFound', message: 'Dosya yok.' })
    await flushPromises()
    expect(shown()).toEqual([['', 'failed', undefined]])
    client.conversation.retry(client.device.upload.key)
    await flushPromises()
    await endUpload(9)
    expect(sent().map(({ mediaId }) => mediaId)).toEqual([7, 9])
  })

  it('[CHATMEDIA-13] ends and deletes a cancelled upload, and discards drafts with the room', async () => {
    await files.sendFile(outgoingFile())
    await flushPromises()
    files.cancelUpload(client.device.upload.key)
    await flushPromises()
    expect([client.device.upload.signal.aborted, shown(), client.device.stored.size]).toEqual([true, [], 0])
    await pick('taslak.png')
    await client.openRoom(createRoomPage({ roomId: 2 })).catch(() => {})
    await flushPromises()
    expect(client.device.stored.size).toBe(0)
  })

  it('[CHATMEDIA-13] says what an upload was refused for, and stays to be tried again', async () => {
    await files.sendFile(outgoingFile())
    await flushPromises()
    const message = 'Bu odaya yalnızca üyeler dosya gönderebilir.'
    client.device.upload.end(new Refusal({ code: 'RoomWriteRefused', message }))
    await flushPromises()
    expect(client.conversation.bubbles.value).toMatchObject([{ status: 'failed', failure: message }])
  })
})

describe('a room that takes no files from the viewer', () => {
  it('[CHATMEDIA-15] says so before a file is taken, for each kind, and takes texts', async () => {
    const { conversation } = client
    expect(files.refusalText()).toBeNull()
    conversation.mediaRefusal.value = 'Bu odaya yalnızca oda adminleri dosya gönderebilir.'
    expect(files.refusalText()).toBe(conversation.mediaRefusal.value)
    expect([files.explain(), files.drafts.problem.value]).toEqual([[], conversation.mediaRefusal.value])
    await pick('bir.png')
    expect(files.drafts.list.value).toEqual([])
    expect((await files.sendFile(outgoingFile({ mediaType: 'audio' })))?.body.code).toBe('RoomWriteRefused')
    expect(conversation.send('Selam')).toBeNull()
    conversation.mediaRefusal.value = null
    expect(files.explain()).toEqual(['image', 'video', 'audio'])
  })

  it('[CHATMEDIA-15] keeps the files in the composer, and the text, when it changes its preference', async () => {
    await pick('bir.png')
    client.conversation.mediaRefusal.value = 'Olmaz.'
    expect(client.conversation.send('Bak')?.body.message).toBe('Olmaz.')
    expect([files.drafts.list.value.length, shown()]).toEqual([1, []])
    client.conversation.mediaRefusal.value = null
    expect(client.conversation.send('Bak')).toBeNull()
  })

  it('[CHATMEDIA-15] says that nobody may write where that is so', () => {
    client.conversation.permission.value = { canWrite: false, placeholder: 'Bu odaya yalnızca üyeler yazabilir.' }
    expect(files.refusalText()).toBe('Bu odaya yalnızca üyeler yazabilir.')
  })
})

/** What the server may send next. */
type Step = 'file' | 'text' | 'reply' | 'clear' | 'banCan' | 'banDeniz' | 'snapshot'
const anySteps = fc.array(
  fc.constantFrom<Step>('file', 'file', 'file', 'text', 'reply', 'clear', 'banCan', 'banDeniz', 'snapshot'),
  { maxLength: 25 },
)

describe('an open room with files', () => {
  it('[CHATMEDIA-05] [CHATMEDIA-11] shows the same as a fresh page after messages, clearings and bans', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        await openPage()
        let stored: Message[] = []
        let seq = 100
        const post = async (message: Partial<Message>) => {
          const id = ++seq
          const [senderId, senderUsername] = id % 2 ? [2, 'can'] : [3, 'deniz']
          const posted = createMessage(id, { senderId, senderUsername, ...message })
          stored.push(posted)
          await receive('message', posted, seq)
        }
        const ban = async (userId: number) => {
          stored = stored
            .filter(({ senderId }) => senderId !== userId)
            .map((message) => {
              const isOfBanned = message.replyTo?.senderId === userId
              if (!message.replyTo || !isOfBanned) return message
              return {
                ...message,
                replyTo: { ...message.replyTo, content: null, senderId: null, senderUsername: null },
              }
            })
          await receive('removeBannedMessages', { roomId: 1, userId, username: 'x' }, ++seq)
        }
        const ways: Record<Step, () => Promise<void>> = {
          file: () => post({ content: '', media: mediaOf(seq), mediaId: seq }),
          text: () => post({}),
          reply: async () => {
            const last = stored.at(-1)
            if (!last) return
            const { id, senderId, senderUsername } = last
            await post({ replyTo: { id, content: 'Fotoğraf', senderId, senderUsername } })
          },
          clear: async () => {
            stored = []
            await receive('clearMessages', { roomId: 1 }, ++seq)
          },
          banCan: () => ban(2),
          banDeniz: () => ban(3),
          snapshot: async () => {
            environment.transport.receive([
              Kind.ephemeral,
              'loadRoomMessages',
              { roomId: 1, messages: stored.slice(-40) },
            ])
            await flushPromises()
          },
        }
        for (const step of steps) await ways[step]()
        expect(client.conversation.bubbles.value).toEqual(bubblesOf(stored.slice(-40), ADA.id))
      }),
      { numRuns: 60 },
    )
  })
})
