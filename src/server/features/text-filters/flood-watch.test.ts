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
import { FloodWatch, type WrittenText } from './flood-watch.ts'
import { raiseFloodAlert } from './raise-flood-alert.ts'

const TEXT = 'Ucuz bahis için bana yazın arkadaşlar, hemen'
const written = (userId: number, more: Partial<WrittenText> = {}): WrittenText => ({
  fingerprint: 'adres',
  userId,
  text: TEXT,
  isPrivate: false,
  at: 0,
  ...more,
})
const usersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('[FILTER-20] floods', () => {
  it('finds accounts of one address that write the same text, and reports them once a window', () => {
    const watch = new FloodWatch()
    const found = usersTo(MIN_FLOOD_ACCOUNTS + 3).map((userId) => watch.note(written(userId)))
    expect(found.map((flood) => flood !== null)).toEqual([false, false, false, true, false, false, false])
    expect(found[3]).toMatchObject({ kind: 'sameText', userIds: [1, 2, 3, 4], messageCount: 4, sample: TEXT })
    const later = usersTo(4).map((userId) => watch.note(written(userId, { at: FLOOD_WINDOW_MS })))
    expect(later.map((flood) => flood?.kind)).toEqual([undefined, undefined, undefined, 'sameText'])
  })

  it('takes nearly the same texts as one', () => {
    for (const vary of [
      (i: number) => `${TEXT} ${i}`,
      (i: number) => `${TEXT.toUpperCase()}${'!'.repeat(i)}`,
      (i: number) => `Selam ${'abcdefg'[i]} ${TEXT}`,
      (i: number) => TEXT.replaceAll('a', 'а'.repeat(i)),
    ]) {
      const watch = new FloodWatch()
      const found = usersTo(4).map((userId) => watch.note(written(userId, { text: vary(userId) })))
      expect(found.at(-1)?.kind).toBe('sameText')
    }
  })

  it('leaves alone one account, other addresses, slow accounts, short and different texts', () => {
    const cases: ((i: number) => WrittenText)[] = [
      () => written(1),
      (i) => written(i, { fingerprint: `adres ${i}` }),
      (i) => written(i, { at: i * FLOOD_WINDOW_MS }),
      (i) => written(i, { text: 'Selam!' }),
      (i) => written(i, { text: `${'abcdefghijklmnopqrs'[i]} ile başlayan ve ${'abcdefghijklmnopqrs'[i]} ile biten` }),
    ]
    for (const make of cases) {
      const watch = new FloodWatch()
      expect(usersTo(10).map((i) => watch.note(make(i)))).toEqual(Array(10).fill(null))
    }
  })

  it('finds accounts that write much more than is usual at their address', () => {
    const watch = new FloodWatch()
    const write = (count: number, at: number) =>
      usersTo(count).flatMap((i) => watch.note(written((i % 5) + 1, { text: `${randomUUID()}`, at })) ?? [])
    expect(write(MIN_FLOOD_MESSAGES - 1, 0)).toEqual([])
    expect(write(1, 1)).toMatchObject([{ kind: 'manyMessages', messageCount: MIN_FLOOD_MESSAGES, sample: null }])
    expect(write(50, 2)).toEqual([])
    // A busy address gets used to it.
    for (let i = 1; i < 30; i++) write(MIN_FLOOD_MESSAGES * 3, i * FLOOD_WINDOW_MS)
    expect(write(MIN_FLOOD_MESSAGES * 3, 30 * FLOOD_WINDOW_MS)).toEqual([])
  })

  it('keeps a bounded number of accounts of a text', () => {
    const watch = new FloodWatch()
    for (const userId of usersTo(500)) watch.note(written(userId))
    const again = usersTo(4).map((userId) => watch.note(written(userId, { at: FLOOD_WINDOW_MS * 2 })))
    expect(again.at(-1)?.userIds.length).toBeLessThanOrEqual(MAX_FLOOD_ACCOUNTS)
  })
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
  expect(base.db.prepare('select count(*) from ban').pluck().get()).toBe(0)
  base.close()
})
