import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commandRegistry } from '../../commands.ts'
import { openForWriting } from '../../kernel/database/open.ts'
import { Writer } from '../../kernel/database/writer.ts'
import { fingerprintsOfUser } from '../../model/fingerprints/queries.ts'
import { openTestDatabase } from '../../testing/fixtures/test-database.ts'
import { openTestRegion, type TestClient, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { listAlerts } from './alert-queries.ts'
import { addFilterEntries } from './filter-entries.ts'

const exceptions: string[] = []
const entryFields = { match: 'stem', action: 'replace', replacement: null, exceptions } as const
const SHARED_ADDRESS = '203.0.113.7'

let region: TestRegion
let root: TestUser
beforeEach(async () => {
  region = await openTestRegion({ MEYDAN_JOIN_WAIT_MS: '0', MEYDAN_LIMIT_SCALE: '1000' })
  root = await region.createRootAdmin('kök')
})
afterEach(() => region.destroy())

const addEntry = (pattern: string, action: 'replace' | 'holdBack' | 'alert') => {
  const input = { ...entryFields, patterns: [pattern], action }
  return region.appContext.execute(addFilterEntries, root, input)
}
const send = (client: TestClient, content: string) =>
  client.request('sendMessage', { roomId: 1, content, clientId: randomUUID() })
const alerts = () => listAlerts(region.appContext.reader, { state: 'open' }, region.appContext.clock()).alerts

describe('events of the filter', () => {
  it('[FILTER-05] [FILTER-13] reach root admins alone, and a held message reaches nobody', async () => {
    await addEntry('bomba', 'holdBack')
    await addEntry('silah', 'alert')
    const admin = await region.connectAs(root, 1)
    const sender = await region.connectAs(await region.createMember('yazan'), 1)
    const bystander = await region.connectAs(await region.createMember('gören'), 1)
    expect(await send(sender, 'Bomba var')).toMatchObject({ code: 'TextHeld' })
    expect(await send(sender, 'Silah var')).toMatchObject({ success: true })
    await bystander.waitForEvent('message', ({ content }) => content === 'Silah var')
    expect(await admin.waitForEvent('textFilterChanged')).toEqual({ part: 'heldTexts', heldCount: 1 })
    expect(await admin.waitForEvent('alertsChanged')).toMatchObject({ openCount: 1 })
    for (const client of [sender, bystander]) {
      expect([client.countEvents('textFilterChanged'), client.countEvents('alertsChanged')]).toEqual([0, 0])
      expect([client.countEvents('actionRecorded'), client.countEvents('message')]).toEqual([0, 1])
    }
  })
})

describe('floods', () => {
  it('[FILTER-20] of accounts at one address raise an alert, those of several addresses none', async () => {
    const text = 'Ucuz bahis için bana yazın arkadaşlar'
    for (let i = 0; i < 4; i++) {
      const guest = await region.connectAs(await region.createGuest(`uzak${i}`), 1, `198.51.100.${i + 1}`)
      await send(guest, text)
    }
    const guests: TestUser[] = []
    for (let i = 0; i < 4; i++) {
      guests.push(await region.createGuest(`yakın${i}`))
      const client = await region.connectAs(guests[i] as TestUser, 1, SHARED_ADDRESS)
      const { userId } = guests[i] as TestUser
      // The mark is written after the hello.
      await expect.poll(() => region.appContext.reader.all(fingerprintsOfUser, { userId }).length).toBe(2)
      await send(client, `${text} ${i}`)
    }
    await expect.poll(alerts, { timeout: 10_000 }).toMatchObject([{ kind: 'sameText', accountCount: 4 }])
    const [alert] = alerts()
    const names = alert && 'accounts' in alert ? alert.accounts.map(({ username }) => username) : []
    expect(names.toSorted()).toEqual(guests.map(({ username }) => username))
  })
})

it('[FILTER-07] a list that another writer has changed applies to the next message', async () => {
  const base = await openTestDatabase()
  const ada = base.addMember('ada')
  const admin = base.addMember('başadmin', 'rootadmin')
  const otherDb = openForWriting(base.file, 'unchecked')
  const other = new Writer(otherDb, { commands: commandRegistry, clock: () => base.clock.now, isOnLiteFs: false })
  const job = (userId: number, command: string, input: object) => ({
    ...{ id: 1, command, actor: { userId, sessionId: userId } },
    ...{ clientId: randomUUID() as string, input },
  })
  const sendFrom = (writer: Writer, content: string) => {
    const sent = job(ada, 'sendMessage', { roomId: 1, content, inRoomForMs: 60_000 })
    const { clientId } = sent
    return writer.runBatch([{ ...sent, input: { ...sent.input, clientId } }])
  }
  const add = (writer: Writer, pattern: string) =>
    writer.runBatch([job(admin, 'addFilterEntries', { ...entryFields, patterns: [pattern] })])
  sendFrom(base.writer, 'Mal ve salak')
  add(other, 'mal')
  sendFrom(base.writer, 'Mal ve salak')
  add(base.writer, 'salak')
  sendFrom(other, 'Mal ve salak')
  expect(base.db.prepare('select content from message order by id').pluck().all()).toEqual([
    'Mal ve salak',
    '*** ve salak',
    '*** ve *****',
  ])
  otherDb.close()
  base.close()
})
