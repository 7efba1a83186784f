import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MAX_ADDED_ENTRIES,
  MAX_ENTRIES,
  MAX_HELD_TEXTS_OF_ADDRESS,
  MAX_HELD_TEXTS_OF_USER,
  MAX_HITS_OF_USER_PER_HOUR,
} from '../../../shared/text-filters/limits.ts'
import type { FilterEntry } from '../../../shared/text-filters/protocol.ts'
import type { WriteResult } from '../../kernel/database/writer.ts'
import { countHeldTexts, listFilterHits, listHeldTexts } from '../../model/text-filters/queries.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { listAlerts } from './alert-queries.ts'

const DAY_MS = 24 * 60 * 60_000

let base: TestDatabase
let root: number
let ada: number
let can: number
beforeEach(async () => {
  base = await openTestDatabase()
  root = base.addMember('kök', 'rootadmin')
  ada = base.addMember('ada')
  can = base.addMember('can')
})
afterEach(() => base.close())

const actorOf = (userId: number) => ({ userId, sessionId: userId })
const runAs = (userId: number, command: string, input: object, clientId: string = randomUUID()): WriteResult =>
  base.run({ command, actor: actorOf(userId), clientId, input })
const entryFields = { match: 'stem', action: 'replace', replacement: null, exceptions: [] } as const
const addEntries = (patterns: string[], more: Partial<FilterEntry> = {}) =>
  runAs(root, 'addFilterEntries', { patterns, ...entryFields, ...more })
const send = (userId: number, content: string, clientId: string = randomUUID()) =>
  runAs(userId, 'sendMessage', { roomId: 1, content, clientId, inRoomForMs: 60_000 }, clientId)
const sendDirect = (content: string, clientId: string = randomUUID()) =>
  runAs(ada, 'sendDirectMessage', { recipientId: can, content, mediaId: null, replyToId: null, clientId }, clientId)
const contents = (table = 'message') => base.db.prepare(`select content from ${table} order by id`).pluck().all()
const held = () => listHeldTexts(base.read, 0, base.clock.now).heldTexts
const hits = () => listFilterHits(base.read, undefined, base.clock.now).hits
const alerts = (state: 'open' | 'handled' = 'open') => listAlerts(base.read, { state }, base.clock.now).alerts
const eventNames = () =>
  base.db.prepare<[], [string, string]>('select name, stream from event order by seq').raw().all()

describe('editing the filter', () => {
  it('[FILTER-07] lets root admins alone change the entries', () => {
    for (const [command, input] of [
      ['addFilterEntries', { patterns: ['salak'], ...entryFields }],
      ['changeFilterEntry', { id: 1, pattern: 'salak', ...entryFields }],
      ['deleteFilterEntry', { id: 1 }],
      ['changeLinkRule', { minDays: 3, guestsMayLink: false, allowedHosts: [], ownHosts: [] }],
      ['decideHeldText', { id: 1, decision: 'release' }],
      ['readHeldText', { id: 1 }],
      ['handleAlert', { id: 1, isHandled: true }],
    ] as const)
      expect([command, runAs(ada, command, input).refusal?.code]).toEqual([command, 'Forbidden'])
  })

  it('[FILTER-07] applies to the next message after an entry is added, changed and deleted', () => {
    const { entries } = addEntries(['salak']).answer as { entries: FilterEntry[] }
    send(ada, 'Ne salaksın')
    const id = entries[0]?.id ?? 0
    runAs(root, 'changeFilterEntry', { id, pattern: 'salak', ...entryFields, match: 'word', replacement: 'canım' })
    send(ada, 'Ne salaksın, salak')
    runAs(root, 'deleteFilterEntry', { id })
    send(ada, 'Ne salak')
    expect(contents()).toEqual(['Ne ********', 'Ne salaksın, canım', 'Ne salak'])
  })

  it('[FILTER-08] has a pattern once, and at most 2,000', () => {
    expect(addEntries(['salak', 'SALAK']).answer).toMatchObject({ entries: [{ pattern: 'SALAK' }] })
    expect(addEntries(['sálak']).refusal?.code).toBe('FilterEntryExists')
    const { entries } = addEntries(['mal']).answer as { entries: FilterEntry[] }
    const change = { id: entries[0]?.id, pattern: 'salak', ...entryFields }
    expect(runAs(root, 'changeFilterEntry', change).refusal?.code).toBe('FilterEntryExists')
    expect(runAs(root, 'changeFilterEntry', { ...change, id: 1 }).refusal?.code).toBe('NotFound')
    const word = (i: number) => [...String(i)].map((digit) => 'abcdefghkl'[Number(digit)]).join('')
    for (let i = 0; i < MAX_ENTRIES / MAX_ADDED_ENTRIES - 1; i++)
      addEntries(Array.from({ length: MAX_ADDED_ENTRIES }, (_, j) => `x${word(i)}y${word(j)}z`))
    const rest = Array.from({ length: MAX_ADDED_ENTRIES }, (_, j) => `q${word(j)}w`)
    expect(addEntries(rest).refusal?.code).toBe('TooManyFilterEntries')
    expect(addEntries(rest.slice(2)).refusal).toBeUndefined()
  })

  it('[FILTER-12] exempts root admins, who see in the test field what the filter does', () => {
    addEntries(['salak'], { action: 'holdBack' })
    expect(send(root, 'Salak').refusal).toBeUndefined()
    expect(contents()).toEqual(['Salak'])
  })
})

describe('held texts', () => {
  beforeEach(() => addEntries(['bomba'], { action: 'holdBack' }))

  it('[FILTER-05] holds a message back, tells its sender, and nobody else but root admins', () => {
    const before = eventNames().length
    const { refusal } = send(ada, 'Bomba gibi')
    expect(refusal).toMatchObject({ code: 'TextHeld', message: expect.stringContaining('incelemeye alındı') })
    expect([contents(), eventNames().slice(before)]).toEqual([[], [['textFilterChanged', 'admins']]])
    expect(held()).toMatchObject([
      { user: { username: 'ada' }, text: 'Bomba gibi', place: { kind: 'room', roomId: 1 } },
    ])
  })

  it('[FILTER-05] holds a repeated text once', () => {
    const clientId = randomUUID()
    for (let i = 0; i < 3; i++) expect(send(ada, 'bomba', clientId).refusal?.code).toBe('TextHeld')
    expect(send(ada, 'bomba').refusal?.code).toBe('TextHeld')
    expect([held().length, hits().length]).toEqual([1, 1])
  })

  it('[FILTER-09] sends a released text as of now, once, and its retry gets the answer', () => {
    const clientId = randomUUID()
    send(ada, 'bomba var', clientId)
    base.clock.now += DAY_MS
    const [{ id } = { id: 0 }] = held()
    const decision = { id, decision: 'release' }
    expect(runAs(root, 'decideHeldText', decision).answer).toEqual({ success: true })
    expect(runAs(root, 'decideHeldText', decision).refusal?.code).toBe('NotFound')
    expect(base.db.prepare('select content, createdAt, clientId from message').all()).toEqual([
      { content: 'Bomba var', createdAt: base.clock.now, clientId },
    ])
    expect(send(ada, 'bomba var', clientId).answer).toMatchObject({ success: true, id: 1 })
    expect(held()).toEqual([])
  })

  it('[FILTER-09] releases direct messages and comments, and deletes what is discarded', () => {
    sendDirect('bomba')
    send(ada, 'bombalar')
    const [direct, room] = held()
    expect(direct).toMatchObject({ text: null, place: { kind: 'direct', recipient: 'can' } })
    runAs(root, 'readHeldText', { id: direct?.id })
    runAs(root, 'decideHeldText', { id: direct?.id, decision: 'release' })
    runAs(root, 'decideHeldText', { id: room?.id, decision: 'discard' })
    expect([contents('directMessage'), contents()]).toEqual([['Bomba'], []])
    const kinds = base.db.prepare('select kind from actionEntry order by id').pluck().all()
    expect(kinds).toEqual(['filterEntriesAdded', 'heldTextRead', 'heldTextReleased', 'heldTextDiscarded'])
  })

  it('[FILTER-09] keeps no copy of a text that was read and discarded', () => {
    sendDirect('gizli bomba')
    const [{ id } = { id: 0 }] = held()
    expect(runAs(root, 'readHeldText', { id }).answer).toEqual({ success: true })
    runAs(root, 'decideHeldText', { id, decision: 'discard' })
    const kept = ['commandAnswer', 'actionEntry', 'filterHit', 'event'].map((table) =>
      base.db.prepare(`select * from ${table}`).all(),
    )
    expect(JSON.stringify(kept)).not.toContain('izli')
    expect(runAs(root, 'readHeldText', { id }).refusal?.code).toBe('NotFound')
  })

  it('[FILTER-23] records each look at a waiting direct message, also a retry of one', () => {
    sendDirect('gizli bomba')
    const [{ id } = { id: 0 }] = held()
    const key = randomUUID()
    for (let look = 0; look < 2; look++)
      expect(runAs(root, 'readHeldText', { id }, key).answer).toEqual({ success: true })
    const reads = base.db.prepare("select actorId, subjectId from actionEntry where kind = 'heldTextRead'").all()
    expect(reads).toEqual(Array(2).fill({ actorId: root, subjectId: id }))
  })

  it('[FILTER-09] does not release what its author may not send any more, and it goes on waiting', () => {
    send(ada, 'bomba')
    runAs(root, 'banUser', { username: 'ada', duration: '10min', banReason: 'Diğer' })
    const [{ id } = { id: 0 }] = held()
    expect(runAs(root, 'decideHeldText', { id, decision: 'release' }).refusal?.code).toBe('NotFound')
    expect([held().length, contents()]).toEqual([1, []])
  })

  it('[FILTER-22] hides a text that is released during a ghost ban', () => {
    base.db.prepare("update user set isGuest = 1, role = 'guest' where id = ?").run(ada)
    const release = () => runAs(root, 'decideHeldText', { id: held()[0]?.id, decision: 'release' }).answer
    const ghostBan = () => runAs(root, 'ghostBanGuest', { username: 'ada', duration: 'indefinite' })
    const wait = () => {
      base.clock.now += 60_000
    }
    send(ada, 'bomba önce')
    wait()
    ghostBan()
    expect(release()).toEqual({ success: true })
    send(ada, 'bomba sırasında')
    wait()
    runAs(root, 'liftBan', { username: 'ada' })
    wait()
    expect(release()).toEqual({ success: true })
    send(ada, 'bomba sonra')
    expect(release()).toEqual({ success: true })
    const audiences = (table: string) => base.db.prepare(`select audience from ${table}`).pluck().all()
    expect(contents()).toEqual(['Bomba önce', 'Bomba sırasında', 'Bomba sonra'])
    expect(audiences('message')).toEqual(['actor', null, null])
    expect(audiences("event where name = 'message'")).toEqual(['actor', null, null])
  })

  it('[FILTER-10] bounds the waiting texts of a person, refuses further ones, and lets them expire', () => {
    for (let i = 0; i < MAX_HELD_TEXTS_OF_USER; i++) expect(send(ada, `bomba ${i}`).refusal?.code).toBe('TextHeld')
    expect(send(ada, 'bomba son').refusal?.code).toBe('TextRefused')
    expect(send(can, 'bomba').refusal?.code).toBe('TextHeld')
    base.clock.now += 7 * DAY_MS + 1
    base.run({ command: 'trimFilterRecords' })
    expect(countHeldTexts(base.read)).toBe(0)
    base.clock.now += 90 * DAY_MS
    base.run({ command: 'trimFilterRecords' })
    expect(hits()).toEqual([])
  })

  it('[FILTER-10] bounds the waiting texts of the guests of one address', () => {
    const guests = Array.from({ length: MAX_HELD_TEXTS_OF_ADDRESS / MAX_HELD_TEXTS_OF_USER + 1 }, (_, i) =>
      base.addMember(`gez${i}`),
    )
    base.db.exec("update user set isGuest = 1, role = 'guest' where username like 'gez%'")
    const addFingerprint = base.db.prepare("insert into accountMark values (?, 'address', ?, 0, 0)")
    for (const guest of guests) addFingerprint.run(guest, 'adres')
    const codes = guests.flatMap((guest) =>
      Array.from({ length: MAX_HELD_TEXTS_OF_USER }, (_, i) => send(guest, `bomba ${i}`).refusal?.code),
    )
    expect(codes.filter((code) => code === 'TextHeld')).toHaveLength(MAX_HELD_TEXTS_OF_ADDRESS)
    expect(codes.at(-1)).toBe('TextRefused')
    const elsewhere = base.addMember('uzak')
    base.db.exec("update user set isGuest = 1, role = 'guest' where username = 'uzak'")
    addFingerprint.run(elsewhere, 'başka')
    for (const user of [ada, elsewhere]) expect(send(user, 'bomba').refusal?.code).toBe('TextHeld')
  })

  it('[FILTER-05] refuses a profile and a room name, which cannot wait', () => {
    const columns = { bio: 'Bomba gibi biri' }
    expect(runAs(ada, 'updateProfile', { columns }).refusal?.code).toBe('TextRefused')
    expect(hits()).toMatchObject([{ place: { kind: 'profile' }, action: 'holdBack' }])
    expect(held()).toEqual([])
  })
})

describe('hits and alerts', () => {
  it('[FILTER-11] logs who wrote what where, without the text of a direct message, within a bound', () => {
    addEntries(['mal'])
    send(ada, 'Bu bir maldır')
    sendDirect('Sen malsın')
    expect(hits()).toMatchObject([
      { place: { kind: 'direct', recipient: 'can' }, word: 'malsın', excerpt: null, action: 'replace' },
      { place: { kind: 'room', messageId: 1 }, word: 'maldır', excerpt: 'Bu bir maldır', pattern: 'mal' },
    ])
    for (let i = 0; i < MAX_HITS_OF_USER_PER_HOUR + 5; i++) sendDirect('mal')
    const count = () => base.db.prepare('select count(*) from filterHit').pluck().get()
    expect(count()).toBe(MAX_HITS_OF_USER_PER_HOUR)
    base.clock.now += 60 * 60_000 + 1
    sendDirect('mal')
    expect(count()).toBe(MAX_HITS_OF_USER_PER_HOUR + 1)
  })

  it('[FILTER-13] delivers the text and raises one alert for a cause that repeats within the hour', () => {
    addEntries(['silah'], { action: 'alert' })
    const before = eventNames().length
    for (let i = 0; i < 3; i++) send(ada, `Silah ${i}`)
    expect(contents()).toEqual(['Silah 0', 'Silah 1', 'Silah 2'])
    expect(alerts()).toMatchObject([{ kind: 'word', count: 3, user: { username: 'ada' }, excerpt: 'Silah 2' }])
    const admin = eventNames()
      .slice(before)
      .filter(([, stream]) => stream === 'admins')
    expect(admin).toEqual([['alertsChanged', 'admins']])
    base.clock.now += 60 * 60_000
    send(ada, 'silahım')
    expect(alerts().map(({ count }) => count)).toEqual([1, 3])
  })

  it('[FILTER-14] marks an alert as handled and opens it again, once each', () => {
    addEntries(['silah'], { action: 'alert' })
    send(ada, 'silah')
    const [{ id } = { id: 0 }] = alerts()
    for (let i = 0; i < 2; i++)
      expect(runAs(root, 'handleAlert', { id, isHandled: true }).answer).toMatchObject({ openCount: 0 })
    send(ada, 'silah')
    expect([alerts().length, alerts('handled')]).toMatchObject([1, [{ id, handledBy: 'kök' }]])
    expect(runAs(root, 'handleAlert', { id, isHandled: false }).answer).toMatchObject({ openCount: 2 })
    expect(runAs(root, 'handleAlert', { id: 5, isHandled: false }).refusal?.code).toBe('NotFound')
    const kinds = base.db.prepare("select kind from actionEntry where kind like 'alert%' order by id").pluck().all()
    expect(kinds).toEqual(['alertHandled', 'alertReopened'])
  })
})

describe('links', () => {
  const setRule = (minDays: number, guestsMayLink: boolean) =>
    runAs(root, 'changeLinkRule', { minDays, guestsMayLink, allowedHosts: ['izinli.com'], ownHosts: ['meydan.site'] })

  it('[CHAT-49] judges the links of a text that are shown as text, too', () => {
    setRule(2, true)
    const allowed = 'www.izinli.com '.repeat(20)
    expect(send(can, allowed).refusal).toBeUndefined()
    expect(send(ada, `${allowed} www.a.com`).refusal?.code).toBe('LinkRefused')
  })

  it('[FILTER-15] lets members send links from a number of days after their registration on', () => {
    expect(send(ada, 'https://a.com').refusal).toBeUndefined()
    setRule(2, true)
    expect(send(ada, 'Bak www.a.com/b').refusal).toMatchObject({
      code: 'LinkRefused',
      message: expect.stringContaining('en az 2 gündür'),
    })
    for (const text of ['https://izinli.com/a', 'http://x.izinli.com', 'https://meydan.site/room/1', 'a.com yaz'])
      expect([text, send(can, text).refusal]).toEqual([text, undefined])
    expect(send(root, 'https://a.com').refusal).toBeUndefined()
    expect(send(can, 'https://kotuizinli.com').refusal?.code).toBe('LinkRefused')
    base.clock.now += 2 * DAY_MS
    expect(send(ada, 'https://a.com').refusal).toBeUndefined()
  })

  it('[FILTER-15] counts the days from the registration of a guest who came long before', () => {
    setRule(2, true)
    base.clock.now += 100 * DAY_MS
    base.db.prepare('update user set termsAcceptedAt = ? where id = ?').run(base.clock.now, ada)
    expect(send(ada, 'www.a.com').refusal?.code).toBe('LinkRefused')
    base.clock.now += 2 * DAY_MS
    expect(send(ada, 'www.a.com').refusal).toBeUndefined()
  })

  it('[FILTER-15] gives guests no days, and lets a setting refuse them alone', () => {
    const guest = base.addMember('misafir')
    base.db.prepare("update user set isGuest = 1, role = 'guest' where id = ?").run(guest)
    setRule(0, false)
    expect(send(guest, 'www.a.com').refusal).toMatchObject({
      code: 'LinkRefused',
      message: expect.stringContaining('Misafirler'),
    })
    expect(send(ada, 'www.a.com').refusal).toBeUndefined()
    base.clock.now += 100 * DAY_MS
    setRule(2, true)
    expect(send(guest, 'www.a.com').refusal?.code).toBe('LinkRefused')
  })
})
