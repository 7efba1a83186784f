import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { GUESTS_CANNOT_WRITE_TEXT } from '../../../shared/disk-space/texts.ts'
import { Kind } from '../../../shared/protocol/frame.ts'
import { refusals } from '../../../shared/protocol/refusals.ts'
import { readConfig } from '../../kernel/config.ts'
import { runJobs } from '../../testing/fixtures/run-jobs.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { mediaSamples } from '../../testing/fixtures/test-media.ts'
import type { TestClient, TestUser } from '../../testing/fixtures/test-region.ts'
import { resumableUploadRoutes } from '../media/resumable-upload-routes.ts'
import { roomChatRoutes } from '../room-chat/feature.ts'

const TUS = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' }

let api: TestApi
let member: TestUser
let guest: TestUser
let root: TestUser
let clients: { member: TestClient; guest: TestClient; root: TestClient }

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_LIMIT_SCALE: '1000', MEYDAN_JOIN_WAIT_MS: '0' }, (app, _, { appContext }) => {
    roomChatRoutes(app, appContext)
    resumableUploadRoutes(app, appContext)
  })
  const { region } = api
  member = await region.createMember('ada')
  guest = await region.createGuest('can')
  root = await region.createRootAdmin('kök')
})
afterAll(() => api.close())
beforeEach(async () => {
  await setUsed(0)
  const [ofMember, ofGuest, ofRoot] = await Promise.all(
    [member, guest, root].map((user) => api.region.connectAs(user, 1)),
  )
  if (!ofMember || !ofGuest || !ofRoot) throw new Error('three users are connected')
  clients = { member: ofMember, guest: ofGuest, root: ofRoot }
})

/** Fills the disk to this share and lets the site notice it. */
async function setUsed(usedRatio: number): Promise<void> {
  api.region.disk.usedRatio = usedRatio
  await runJobs(api.region, 10_000)
}

const send = (client: TestClient, content = 'selam') => client.request('sendMessage', { roomId: 1, content })
const sendDirect = (client: TestClient, to: TestUser) =>
  client.request('sendDirectMessage', { recipientUsername: to.username, content: 'selam' })
/** The texts of the notifications of the disk that a client has got. */
const tellings = ({ transport }: TestClient) =>
  transport.received.flatMap((value) =>
    value[0] === Kind.event && value[2] === 'newNotification' && value[3].type === 'diskSpace'
      ? [value[3].content]
      : [],
  )

async function uploadForm(user: TestUser) {
  const form = new FormData()
  form.set('roomId', '1')
  form.set('media', new Blob([new Uint8Array(mediaSamples.mp3)]), 'a.mp3')
  const headers = { origin: api.origin, authorization: `Bearer ${user.token}` }
  const response = await api.send('/api/media/upload', { method: 'POST', body: form, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> } // every route answers an object
}
const begin = (user: TestUser) =>
  api.send('/api/uploads', {
    method: 'POST',
    headers: { ...TUS, authorization: `Bearer ${user.token}`, 'upload-length': '1000' },
  })
const sendPart = (user: TestUser, path: string) =>
  api.send(path, {
    method: 'PATCH',
    headers: { ...TUS, authorization: `Bearer ${user.token}`, 'upload-offset': '0' },
    body: new Uint8Array(1_000),
  })

it('[FILE-29] refuses uploads from 90 percent on, those that have begun too, until there is space again', async () => {
  const path = (await begin(member)).headers.get('location') ?? ''
  await setUsed(0.9)
  const refused = { status: 507, body: { code: 'StorageFull', message: refusals.StorageFull.message } }
  for (const user of [member, guest, root]) expect(await uploadForm(user)).toMatchObject(refused)
  expect([(await begin(member)).status, (await sendPart(member, path)).status]).toEqual([507, 507])
  const stored = await api.region.appContext.files.put(new Uint8Array([1, 2, 3]))
  expect(stored).toMatchObject({ body: { code: 'StorageFull' } })
  expect(await send(clients.guest)).toMatchObject({ success: true })
  await setUsed(0.87)
  expect([(await uploadForm(member)).status, (await sendPart(member, path)).status]).toEqual([200, 204])
})

it('[FILE-30] refuses messages of guests from 95 percent on, and nothing else', async () => {
  await setUsed(0.95)
  const refused = { code: 'StorageFull', message: GUESTS_CANNOT_WRITE_TEXT }
  const before = clients.member.countEvents('message')
  expect([await send(clients.guest), await sendDirect(clients.guest, member)]).toEqual([refused, refused])
  expect(await send(clients.member)).toMatchObject({ success: true })
  expect(await sendDirect(clients.member, guest)).toMatchObject({ success: true })
  expect(await send(clients.root)).toMatchObject({ success: true })
  expect(await clients.root.request('clearRoomMessages', { roomId: 1 })).toMatchObject({ success: true })
  await api.region.createGuest('yeni')
  expect(await clients.guest.request('joinRoom', { roomId: 2 })).toHaveProperty('room')
  await clients.member.waitForEvent('message', ({ senderId }) => senderId === root.userId)
  await clients.member.waitForEvent('directMessage')
  expect(clients.member.countEvents('message')).toBe(before + 2)
  expect(clients.member.countEvents('directMessage')).toBe(1)
  await setUsed(0.92)
  expect(await sendDirect(clients.guest, member)).toMatchObject({ success: true })
})

it('[FILE-32] tells root admins alone once of each change, and that all is open again', async () => {
  for (const usedRatio of [0.91, 0.92, 0.961, 0.97, 0.94, 0.92, 0.87, 0.5]) await setUsed(usedRatio)
  await clients.root.waitForEvent('newNotification', ({ content }) => String(content).includes('yüzde 87'))
  for (const client of [clients.member, clients.guest]) await client.request('getRooms', {})
  expect(tellings(clients.root)).toEqual([
    'Diskin doluluğu yüzde 91. Dosya yüklemeleri durduruldu; yer açılınca kendiliğinden başlar.',
    'Diskin doluluğu yüzde 96. Dosya yüklemeleri ve misafirlerin mesajları durduruldu; yer açılınca kendiliğinden başlar.',
    'Diskin doluluğu yüzde 92. Dosya yüklemeleri durduruldu; yer açılınca kendiliğinden başlar.',
    'Diskin doluluğu yüzde 87. Dosya yüklemeleri ve misafirlerin mesajları yeniden açık.',
  ])
  expect([tellings(clients.member), tellings(clients.guest)]).toEqual([[], []])
  const again = await api.region.connectAs(root)
  expect(await again.waitForEvent('initialNotifications')).toMatchObject({
    notifications: [{ type: 'diskSpace', content: expect.stringContaining('yüzde 87') as string, read: false }],
  })
})

it('[FILE-33] shows how full the disk is', async () => {
  await setUsed(0.42)
  expect(await api.region.appContext.metrics.text()).toContain('meydan_disk_used_ratio 0.42')
})

it('[FILE-29] [FILE-30] has its limits from the settings', () => {
  const env = { MEYDAN_DATA: 'data', NODE_ENV: 'test' }
  expect(readConfig(env).diskLimits).toEqual({ uploads: 0.9, guestMessages: 0.95 })
  const changed = { MEYDAN_DISK_UPLOADS_PERCENT: '80', MEYDAN_DISK_GUESTS_PERCENT: '85' }
  expect(readConfig({ ...env, ...changed }).diskLimits).toEqual({ uploads: 0.8, guestMessages: 0.85 })
  expect(() => readConfig({ ...env, MEYDAN_DISK_GUESTS_PERCENT: '101' })).toThrow('MEYDAN_DISK_GUESTS_PERCENT')
})
