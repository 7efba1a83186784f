import { beforeEach, describe, expect, it } from 'vitest'
import type { RecipientInfo } from '../../../shared/direct-messages/message.ts'
import type { Media } from '../../../shared/media/media.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { Refusal, type RefusalBody } from '../../../shared/protocol/refusals.ts'
import { ADA } from '../../core/live/testing/fixture-users.ts'
import { FakeEnvironment, flushPromises } from '../../core/platform/testing/fake-environment.ts'
import { FileOutbox } from '../../model/conversation/media/file-outbox.ts'
import { MAX_STORED_BYTES, MAX_STORED_MS } from '../../model/conversation/media/outgoing-files.ts'
import { FakeFiles, outgoingFile } from '../../model/conversation/media/testing/fake-files.ts'
import type { StoredFile } from '../../model/media/upload/file-storage.ts'
import type { OutgoingFile } from '../../model/media/upload/outgoing-file.ts'
import { createRoomPage, RoomHarness } from '../../model/room-chat/testing/room-harness.ts'
import type { DirectConversation } from './direct-conversation.ts'
import { DirectConversations } from './direct-conversations.ts'
import { CAN_INFO } from './testing/recipient-fixture.ts'

const CAN = 2
const recipientInfo: RecipientInfo = {
  ...CAN_INFO,
  messageImagePrivacy: 'everyone',
  messageAudioPrivacy: 'everyone',
}
const PICTURE: Media = {
  mediaId: 5,
  mediaType: 'image',
  originalPath: '/uploads/a.webp',
  thumbnailPath: '/uploads/b.webp',
  width: 40,
  height: 30,
  durationMs: null,
  blur: null,
  waveform: null,
}

let environment: FakeEnvironment
let client: RoomHarness
let device: FakeFiles
let can: DirectConversation

beforeEach(() => openPage())

/** Loads the page; with `before` it reloads that tab. */
async function openPage(before?: { environment: FakeEnvironment; device: FakeFiles }): Promise<void> {
  environment = new FakeEnvironment(before?.environment)
  client = new RoomHarness(environment)
  device = new FakeFiles(environment, client.live, before?.device)
  const platform = { environment, live: client.live, outbox: client.outbox }
  const conversations = new DirectConversations(platform, new FileOutbox(platform, device.files), () => ADA)
  await client.openRoom(createRoomPage())
  can = conversations.openWith(CAN, 'can')
  await answerStart()
}

const reload = () => openPage({ environment, device })

async function answerStart(changes: Partial<RecipientInfo> = {}): Promise<void> {
  const { transport } = environment
  transport.answer('dmSessionStart', { success: true, userId: CAN, cursor: 100 })
  const recipient = { ...recipientInfo, ...changes }
  const read = { readUpToId: 0, unreadCount: 0 }
  const started = { messages: [], more: false, recipientInfo: recipient, showsMedia: false, ...read, cursor: 100 }
  transport.receive([Kind.ephemeral, 'dmSessionStarted', started])
  await flushPromises()
}

const picked = (name: string, type = 'image/png', size = 10) => new File([new Uint8Array(size)], name, { type })
const sent = () =>
  environment.transport.sent.flatMap((value) => (value[2] === 'sendDirectMessage' ? [Object(value[3])] : []))
const shown = () => can.bubbles.value.map(({ content, status, media }) => [content, status, media?.upload?.state])
const storedKeys = () => [...device.stored.keys()]

/** The server takes the latest upload. */
async function takeUpload(mediaId = 5): Promise<void> {
  device.upload.end({ ...PICTURE, mediaId })
  await flushPromises()
}

async function refuseUpload(body: RefusalBody): Promise<void> {
  device.upload.end(new Refusal(body))
  await flushPromises()
}

/** The server stores the message that was sent last. */
async function answerMessage(id: number): Promise<void> {
  const { input } = environment.transport.request('sendDirectMessage')
  const message = {
    id,
    content: String(input.content),
    createdAt: environment.now(),
    senderId: ADA.id,
    senderUsername: 'ada',
    senderGender: null,
    senderAvatarUrl: null,
    senderIsGuest: false,
    senderRole: ADA.role,
    recipientId: CAN,
    recipientUsername: 'can',
    read: false,
    clientId: String(input.clientId),
    ...(input.mediaId ? { media: { ...PICTURE, mediaId: Number(input.mediaId) } } : {}),
  }
  environment.transport.answer('sendDirectMessage', { success: true, message })
  await flushPromises()
}

async function sendFile(changes: Partial<OutgoingFile> = {}, text = ''): Promise<void> {
  expect(await can.files.value.sendFile(outgoingFile(changes), text)).toBeNull()
  await flushPromises()
}

async function pick(...files: File[]): Promise<void> {
  can.files.value.drafts.add(files)
  await flushPromises()
}

describe('files in the composer', () => {
  it('[DM-35] are pictures, videos and audio of at most 20 MB', async () => {
    await pick(picked('a.pdf', 'application/pdf'))
    expect(can.files.value.drafts.problem.value).toBe('Yalnızca resim, video ve ses dosyaları yükleyebilirsiniz.')
    await pick(picked('a.mp4', 'video/mp4', 20 * 1024 * 1024 + 1))
    expect(can.files.value.drafts.problem.value).toBe("Dosya boyutu 20MB'yi aşamaz.")
    expect(can.files.value.drafts.list.value).toEqual([])
    await pick(picked('a.png'), picked('b.mp4', 'video/mp4'), picked('c.ogg', 'audio/ogg'))
    expect(can.files.value.drafts.problem.value).toBeNull()
    expect(can.files.value.drafts.list.value.map(({ name, isReady }) => [name, isReady])).toEqual([
      ['a.png', true],
      ['b.mp4', true],
      ['c.ogg', true],
    ])
    expect(device.uploads).toEqual([])
  })

  it('are ten at most', async () => {
    await pick(...Array.from({ length: 11 }, (_, at) => picked(`${at}.png`)))
    expect(can.files.value.drafts.list.value).toHaveLength(10)
    expect(can.files.value.drafts.problem.value).toBe('Bir kerede en fazla 10 dosya gönderebilirsin.')
  })

  it('[DM-36] are refused with the reason of their channel, as it is now', async () => {
    void can.start()
    await answerStart({ messageImagePrivacy: 'nobody', messageAudioPrivacy: 'followers' })
    const noPictures = 'Bu kişi hiçkimseden resim veya video almak istemiyor.'
    const noAudio = 'Bu kişi yalnızca takipçilerinden ses kaydı almak istiyor.'
    await pick(picked('a.png'))
    expect(can.files.value.drafts.problem.value).toBe(noPictures)
    expect((await can.files.value.sendFile(outgoingFile({ mediaType: 'audio' })))?.body.message).toBe(noAudio)
    expect(can.files.value.explain()).toEqual([])
    expect(can.files.value.drafts.problem.value).toBe(`${noPictures} ${noAudio}`)
    expect([storedKeys(), sent()]).toEqual([[], []])

    void can.start()
    await answerStart({ messageAudioPrivacy: 'nobody' })
    expect(can.files.value.explain()).toEqual(['image', 'video'])
    await pick(picked('a.png'))
    void can.start()
    await answerStart({ messageImagePrivacy: 'nobody' })
    expect(can.send('bak')?.body.message).toBe(noPictures)
    expect(can.files.value.drafts.list.value).toHaveLength(1)
  })

  it('are sent when they are ready, if that was wanted before', async () => {
    can.files.value.drafts.add([picked('a.png')])
    expect(can.send('bak')?.body.waitMs).toBe(0)
    expect(can.files.value.drafts.isSendWanted.value).toBe(true)
    await flushPromises()
    expect(can.files.value.drafts.list.value[0]?.isReady).toBe(true)
    expect(can.send('bak')).toBeNull()
    await flushPromises()
    expect(can.files.value.drafts.isSendWanted.value).toBe(false)
    expect(shown()).toEqual([['Bak', 'pending', 'uploading']])
  })

  it('leave nothing on the device when they are removed, or their window is closed', async () => {
    await pick(picked('a.png'), picked('b.png'))
    can.files.value.drafts.remove(can.files.value.drafts.list.value[0]?.key ?? '')
    expect(storedKeys()).toHaveLength(1)
    can.files.value.drafts.add([picked('c.png')])
    can.close()
    await flushPromises()
    expect([storedKeys(), can.files.value.drafts.list.value]).toEqual([[], []])
    await environment.advance(60_000)
    expect([...device.urls]).toEqual([])
  })
})

describe('sending files', () => {
  it('[DM-37] sends them in order, one message each, the text with the first, and what follows after them', async () => {
    await pick(picked('a.png'), picked('b.png'))
    can.send('iki resim')
    can.send('sonra')
    await flushPromises()
    expect(shown()).toEqual([
      ['İki resim', 'pending', 'uploading'],
      ['', 'pending', 'waiting'],
      ['Sonra', 'pending', undefined],
    ])
    expect([device.uploads.length, sent()]).toEqual([1, []])
    await takeUpload(5)
    await answerMessage(1)
    await takeUpload(6)
    expect(sent()).toHaveLength(2)
    await answerMessage(2)
    await answerMessage(3)
    expect(sent().map(({ content, mediaId }) => [content, mediaId])).toEqual([
      ['İki resim', 5],
      ['', 6],
      ['Sonra', undefined],
    ])
    expect(storedKeys()).toEqual([])
  })

  it('[DM-37] keeps what the outbox does not take in the composer, with the reason', async () => {
    for (let count = 0; count < 99; count++) can.send(`${count}`)
    await pick(picked('a.png'), picked('b.png'))
    expect(can.send('iki resim')).toBeNull()
    expect(shown().at(-1)).toEqual(['İki resim', 'pending', 'waiting'])
    expect(can.files.value.drafts.list.value.map(({ name }) => name)).toEqual(['b.png'])
    expect(can.files.value.drafts.problem.value).toContain('çok fazla mesaj')
  })

  it('[DM-38] shows progress, then the file of the server, and frees what was local', async () => {
    await sendFile()
    const local = can.bubbles.value[0]?.media
    expect(local).toMatchObject({ mediaType: 'image', width: 40, originalPath: expect.stringMatching(/^blob:/) })
    device.upload.onProgress(250)
    device.upload.onProgress(500)
    expect(can.bubbles.value[0]?.media?.upload).toMatchObject({ sentBytes: 0 })
    await environment.advance(16)
    expect(can.bubbles.value[0]?.media?.upload).toEqual({ state: 'uploading', sentBytes: 500, totalBytes: 1000 })
    await takeUpload()
    expect(can.bubbles.value[0]?.media).not.toHaveProperty('upload')
    expect(device.upload.key).toBe(sent()[0].clientId)
    const { key } = can.bubbles.value[0] ?? {}
    await answerMessage(1)
    expect(can.bubbles.value).toMatchObject([{ key, status: 'sent', media: { originalPath: '/uploads/a.webp' } }])
    expect(device.urls.size).toBe(1)
    await environment.advance(30_000)
    expect(device.urls.size).toBe(0)
  })

  it.each([0, 250, 500, 750, 1000])('[DM-38] sends one message after a cut at byte %i of the upload', async (bytes) => {
    await sendFile()
    device.upload.onProgress(bytes)
    environment.transport.drop()
    device.upload.end('disconnected')
    await environment.advance(6_000)
    expect(device.uploads).toHaveLength(1)
    await client.answerHello({ roomId: 1 })
    expect(device.uploads).toHaveLength(2)
    expect(device.uploads[1]?.key).toBe(device.uploads[0]?.key)
    await takeUpload()
    await answerMessage(1)
    expect(sent()).toHaveLength(1)
    expect(can.bubbles.value.map(({ id, status }) => [id, status])).toEqual([[1, 'sent']])
  })

  it('[DM-38] waits without a connection, and over a reload', async () => {
    environment.transport.drop()
    await sendFile({}, 'merhaba')
    expect(shown()).toEqual([['Merhaba', 'pending', 'waiting']])
    await reload()
    expect(shown()).toEqual([['Merhaba', 'pending', 'uploading']])
    await takeUpload()
    await answerMessage(1)
    expect(sent()).toHaveLength(1)
  })

  it('[DM-38] does not upload again after a reload between upload and answer', async () => {
    await sendFile()
    await takeUpload()
    const [first] = sent()
    await reload()
    expect(device.uploads).toEqual([])
    expect(sent()).toEqual([first])
    expect(can.bubbles.value[0]?.media?.originalPath).toMatch(/^blob:/)
    await answerMessage(1)
    expect([shown(), storedKeys()]).toEqual([[['', 'sent', undefined]], []])
  })

  it.each(['Busy', 'RateLimited', 'RegionCut'] as const)('[DM-39] tries again after %s, when it may', async (code) => {
    await sendFile()
    await refuseUpload({ code, message: 'Sonra.', waitMs: 20_000 })
    expect(shown()).toEqual([['', 'pending', 'waiting']])
    await environment.advance(19_000)
    expect(device.uploads).toHaveLength(1)
    environment.transport.receive([5, 'cursor', { cursor: 100 }])
    await environment.advance(6_000)
    expect(device.uploads).toHaveLength(2)
  })

  it.each([
    ['image', 'Medya yükleme hatası.'],
    ['video', 'Medya yükleme hatası.'],
    ['audio', 'Ses yükleme hatası.'],
  ] as const)('[DM-39] keeps a %s that fails for good for another try', async (mediaType, failure) => {
    await sendFile({ mediaType })
    await refuseUpload({ code: 'Failed', message: 'Beklenmeyen bir hata.' })
    expect(can.bubbles.value).toMatchObject([{ status: 'failed', failure }])
    expect(can.bubbles.value[0]?.media).not.toHaveProperty('upload')
    can.retry(can.bubbles.value[0]?.key ?? '')
    await flushPromises()
    await refuseUpload({ code: 'UnsupportedMediaType', message: 'Bu tür olmaz.' })
    expect(can.bubbles.value).toMatchObject([{ status: 'failed', failure: 'Bu tür olmaz.' }])
    can.discard(can.bubbles.value[0]?.key ?? '')
    expect([shown(), storedKeys()]).toEqual([[], []])
  })

  it('[DM-39] gives up an upload that is cut again and again while the connection stands', async () => {
    await sendFile()
    for (let cut = 0; cut < 6; cut++) {
      expect(can.bubbles.value[0]?.status).toBe('pending')
      device.upload.end('disconnected')
      environment.transport.receive([5, 'cursor', { cursor: 100 }])
      await environment.advance(40_000)
      await client.answerHello({ roomId: 1 }).catch(() => {})
    }
    expect(can.bubbles.value).toMatchObject([{ status: 'failed', failure: 'Medya yükleme hatası.' }])
  })

  it('[DM-39] uploads again when the upload has expired', async () => {
    await sendFile()
    await takeUpload(5)
    environment.transport.refuse('sendDirectMessage', { code: 'MediaNotFound', message: 'Dosya yok.' })
    await flushPromises()
    expect(can.bubbles.value).toMatchObject([{ status: 'failed', failure: 'Dosya yok.' }])
    can.retry(can.bubbles.value[0]?.key ?? '')
    await flushPromises()
    await takeUpload(7)
    expect(sent().at(-1)).toMatchObject({ mediaId: 7 })
  })
})

describe('an upload in parts', () => {
  it('[MEDIA-52] is named again after a cut and after a reload', async () => {
    await sendFile()
    expect(device.upload.uploadId).toBeNull()
    device.upload.onUploadId('a1')
    environment.transport.drop()
    device.upload.end('disconnected')
    await environment.advance(6_000)
    await client.answerHello({ roomId: 1 })
    expect(device.upload.uploadId).toBe('a1')
    device.upload.onUploadId('b2')
    await flushPromises()
    await reload()
    expect(device.upload.uploadId).toBe('b2')
    expect(device.discarded).toEqual([])
  })

  it('[MEDIA-53] is deleted on the server once its message is sent, or cancelled while it waits', async () => {
    await sendFile()
    device.upload.onUploadId('a1')
    await takeUpload()
    expect(device.discarded).toEqual([])
    await answerMessage(1)
    expect(device.discarded).toEqual(['a1'])
    await sendFile()
    device.upload.onUploadId('b2')
    environment.transport.drop()
    device.upload.end('disconnected')
    await flushPromises()
    can.files.value.cancelUpload(can.bubbles.value.at(-1)?.key ?? '')
    await flushPromises()
    expect(device.discarded).toEqual(['a1', 'b2'])
  })
})

describe('cancelling', () => {
  it('[DM-40] aborts the upload, deletes the file and sends what follows', async () => {
    await sendFile()
    can.send('sonra')
    can.files.value.cancelUpload(can.bubbles.value[0]?.key ?? '')
    await flushPromises()
    expect(device.upload.signal.aborted).toBe(true)
    expect([shown(), storedKeys()]).toEqual([[['Sonra', 'pending', undefined]], []])
    expect(sent().map(({ content }) => content)).toEqual(['Sonra'])
  })

  it('[DM-40] works while the file waits, and after a failure', async () => {
    environment.transport.drop()
    await sendFile()
    can.files.value.cancelUpload(can.bubbles.value[0]?.key ?? '')
    expect([shown(), storedKeys(), device.uploads]).toEqual([[], [], []])
    await environment.advance(6_000)
    await client.answerHello({ roomId: 1 })
    await sendFile()
    await refuseUpload({ code: 'Failed', message: '' })
    can.files.value.cancelUpload(can.bubbles.value[0]?.key ?? '')
    expect([shown(), storedKeys(), sent()]).toEqual([[], [], []])
  })

  it('[DM-40] uploads nothing when it comes while the file is read from the device', async () => {
    const found = Promise.withResolvers<StoredFile | undefined>()
    const { storage } = device
    const { find } = storage
    storage.find = () => found.promise
    await sendFile()
    can.files.value.cancelUpload(can.bubbles.value[0]?.key ?? '')
    found.resolve({ key: 'read before', userId: ADA.id, tabId: 'tab', storedAt: 0, file: outgoingFile() })
    await flushPromises()
    expect([device.uploads, shown()]).toEqual([[], []])
    storage.find = find
    await sendFile()
    expect(device.uploads).toHaveLength(1)
  })

  it('[DM-40] is too late when the message is being sent', async () => {
    await sendFile()
    await takeUpload()
    can.files.value.cancelUpload(can.bubbles.value[0]?.key ?? '')
    expect(shown()).toEqual([['', 'pending', undefined]])
  })
})

describe('the device', () => {
  it('[DM-41] without room refuses a file in Turkish, and the text stays', async () => {
    const full = 'Cihazında bu dosyaya yer yok. Gönderilmeyi bekleyen dosyalar bitince tekrar dene.'
    device.hasRoom = false
    can.files.value.drafts.add([picked('a.png')])
    expect(can.send('bu kalsın')).not.toBeNull()
    await flushPromises()
    expect([can.files.value.drafts.problem.value, can.files.value.drafts.list.value]).toEqual([full, []])
    expect([can.files.value.drafts.isSendWanted.value, shown(), sent()]).toEqual([false, [], []])
    device.hasRoom = true
    const file = outgoingFile()
    Object.defineProperty(file.blob, 'size', { value: MAX_STORED_BYTES + 1 })
    const refusal = await can.files.value.sendFile(file)
    expect(refusal?.body.message).toBe(full)
    expect(storedKeys()).toEqual([])
  })

  it('[DM-41] keeps no file after the session', async () => {
    await sendFile()
    await pick(picked('taslak.png'))
    client.outbox.clear()
    device.files.clear()
    await flushPromises()
    expect(device.upload.signal.aborted).toBe(true)
    expect([storedKeys(), shown()]).toEqual([[], []])
    await environment.advance(30_000)
    expect(device.urls.size).toBe(0)
  })

  it("[DM-41] loses another user's files, a tab's own drafts, and after three days those of closed tabs", async () => {
    const storedAt = environment.now()
    const stored = { userId: ADA.id, tabId: 'other', storedAt, file: outgoingFile() }
    for (const record of [
      { ...stored, key: 'of another tab' },
      { ...stored, key: 'of a closed tab', storedAt: storedAt - MAX_STORED_MS - 1 },
      { ...stored, key: 'of another user', userId: 9 },
      { ...stored, key: 'own draft', tabId: 'tab' },
    ])
      device.stored.set(record.key, record)
    await sendFile()
    const [own] = can.bubbles.value
    await reload()
    expect(storedKeys().toSorted()).toEqual([own?.key, 'of another tab'].toSorted())
  })
})
