import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  FLOOD_WINDOW_MS,
  MAX_FLOOD_ACCOUNTS,
  MIN_FLOOD_ACCOUNTS,
  MIN_FLOOD_MESSAGES,
} from '../../../shared/text-filters/limits.ts'
import { openTestDatabase } from '../../testing/fixtures/test-database.ts'
import { listAlerts } from './alert-queries.ts'
import { FloodAlarm } from './flood-alarm.ts'
import { textKeys } from './flood-texts.ts'
import { type Flood, FloodWatch } from './flood-watch.ts'
import { raiseFloodAlert } from './raise-flood-alert.ts'

const TEXT = 'Ucuz bahis için bana yazın arkadaşlar, hemen'
const usersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Counts a message and notes its text where enough accounts write, as the alarm does; returns the floods. */
function write(watch: FloodWatch, userId: number, { text = TEXT, at = 0, fingerprint = 'adres' } = {}): Flood[] {
  const counted = watch.count({ fingerprint, userId, messageCount: 1, firstSeq: 1, at })
  const floods = watch.note(fingerprint, 1, [{ userId, keys: textKeys(text), sample: text, at }])
  return counted ? [counted, ...floods] : floods
}

describe('[FILTER-20] floods', () => {
  it('finds accounts of one address that write the same text, and reports them once a window', () => {
    const watch = new FloodWatch()
    const found = usersTo(MIN_FLOOD_ACCOUNTS + 3).map((userId) => write(watch, userId))
    expect(found.map(({ length }) => length)).toEqual([0, 0, 0, 1, 0, 0, 0])
    expect(found[3]).toMatchObject([{ kind: 'sameText', userIds: [1, 2, 3, 4], messageCount: 4, sample: TEXT }])
    const later = usersTo(4).map((userId) => write(watch, userId, { at: FLOOD_WINDOW_MS }))
    expect(later.map(([flood]) => flood?.kind)).toEqual([undefined, undefined, undefined, 'sameText'])
  })

  it('takes nearly the same texts as one', () => {
    for (const vary of [
      (i: number) => `${TEXT} ${i}`,
      (i: number) => `${TEXT.toUpperCase()}${'!'.repeat(i)}`,
      (i: number) => `Selam ${'abcdefg'[i]} ${TEXT}`,
      (i: number) => TEXT.replaceAll('a', 'а'.repeat(i)),
    ]) {
      const watch = new FloodWatch()
      const found = usersTo(4).flatMap((userId) => write(watch, userId, { text: vary(userId) }))
      expect(found).toMatchObject([{ kind: 'sameText' }])
    }
  })

  it('leaves alone one account, other addresses, slow accounts, short and different texts', () => {
    const cases: ((watch: FloodWatch, i: number) => Flood[])[] = [
      (watch) => write(watch, 1),
      (watch, i) => write(watch, i, { fingerprint: `adres ${i}` }),
      (watch, i) => write(watch, i, { at: i * FLOOD_WINDOW_MS }),
      (watch, i) => write(watch, i, { text: 'Selam!' }),
      (watch, i) => {
        const letter = 'abcdefghijklmnopqrs'[i]
        return write(watch, i, { text: `${letter} ile başlayan ve ${letter} ile biten` })
      },
    ]
    for (const writeAs of cases) {
      const watch = new FloodWatch()
      expect(usersTo(10).flatMap((i) => writeAs(watch, i))).toEqual([])
    }
  })

  it('finds accounts that write much more than is usual at their address', () => {
    const watch = new FloodWatch()
    const writeMany = (count: number, at: number) =>
      usersTo(count).flatMap((i) => write(watch, (i % 5) + 1, { text: `${randomUUID()}`, at }))
    expect(writeMany(MIN_FLOOD_MESSAGES - 1, 0)).toEqual([])
    expect(writeMany(1, 1)).toMatchObject([{ kind: 'manyMessages', messageCount: MIN_FLOOD_MESSAGES, sample: null }])
    expect(writeMany(50, 2)).toEqual([])
    // A busy address gets used to it.
    for (let i = 1; i < 30; i++) writeMany(MIN_FLOOD_MESSAGES * 3, i * FLOOD_WINDOW_MS)
    expect(writeMany(MIN_FLOOD_MESSAGES * 3, 30 * FLOOD_WINDOW_MS)).toEqual([])
  })

  it('keeps a bounded number of accounts of a text', () => {
    const watch = new FloodWatch()
    for (const userId of usersTo(500)) write(watch, userId)
    const again = usersTo(4).flatMap((userId) => write(watch, userId, { at: FLOOD_WINDOW_MS * 2 }))
    expect(again.at(-1)?.userIds.length).toBeLessThanOrEqual(MAX_FLOOD_ACCOUNTS)
  })
})

it('[FILTER-20] looks at texts only when enough accounts of an address write, and once at each', async () => {
  const base = await openTestDatabase()
  const ada = base.addMember('ada')
  const members = ['can', 'deniz', 'ece', 'filiz'].map((name) => base.addMember(name))
  const insertMark = base.db.prepare(
    "insert into accountMark (userId, kind, hash, firstSeenAt, lastSeenAt) values (?, 'address', ?, 0, 0)",
  )
  insertMark.run(ada, 'uzak')
  for (const userId of members) insertMark.run(userId, 'yakın')
  const textCounts: number[] = []
  const floods: Flood[] = []
  const alarm = new FloodAlarm({
    clock: () => base.clock.now,
    reader: base.read,
    execute: (_command, _actor, flood) => Promise.resolve(floods.push(flood as never) as never),
    readInWorker: (read, input) => {
      const answer = read(base.read, input)
      textCounts.push((Reflect.get(answer, 'texts') as []).length)
      return Promise.resolve(answer)
    },
  })
  const say = async (userId: number, content: string) => {
    const lastSeq = Number(base.db.prepare('select max(seq) from event').pluck().get())
    const clientId = randomUUID()
    const input = { roomId: 1, content, clientId, inRoomForMs: 60_000 }
    const sent = base.run({ command: 'sendMessage', actor: { userId, sessionId: userId }, clientId, input })
    expect(sent).not.toHaveProperty('refusal')
    alarm.onCommit(base.db.prepare<[number], never>('select * from event where seq > ?').all(lastSeq))
    await alarm.run()
  }
  for (let i = 0; i < 4; i++) await say(ada, `${TEXT} ${i}`)
  const [can = 0, deniz = 0, ece = 0, filiz = 0] = members
  for (const userId of [can, deniz, ece]) await say(userId, TEXT)
  expect(textCounts).toEqual([])
  await say(filiz, TEXT)
  expect(floods).toMatchObject([{ kind: 'sameText', userIds: members, messageCount: 4, sample: TEXT }])
  await say(can, TEXT)
  expect(textCounts).toEqual([4, 1])
  expect(floods).toHaveLength(1)
  base.close()
})

it('[FILTER-20] raises one alert for a flood that goes on, for root admins alone, and bans nobody', async () => {
  const base = await openTestDatabase()
  const ada = base.addMember('ada')
  const flood = { kind: 'sameText', fingerprint: 'adres', userIds: [ada], messageCount: 9, sample: TEXT, since: 0 }
  for (let i = 0; i < 3; i++) base.run({ command: raiseFloodAlert.name, input: flood })
  const { alerts } = listAlerts(base.read, { state: 'open' }, base.clock.now)
  expect(alerts).toMatchObject([{ kind: 'sameText', count: 3, accounts: [{ username: 'ada' }], sample: TEXT }])
  expect(JSON.stringify(alerts)).not.toContain('adres')
  expect(base.db.prepare('select name, stream from event').all()).toEqual([{ name: 'alertsChanged', stream: 'admins' }])
  expect(base.db.prepare('select count(*) from restriction').pluck().get()).toBe(0)
  base.close()
})
