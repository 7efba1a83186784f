import { expect, it } from 'vitest'
import { callIdOf, requestIdOf } from '../../../shared/calls/call-request-id.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { RecentCalls } from './recent-calls.ts'

const HOUR_MS = 60 * 60_000
const [ada, can, deniz] = [1, 2, 3]
/** No user has a missed call. */
const reader: Pick<Reader, 'get'> = { get: () => undefined }
const callId = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000001`
const entryOf = (number: number, isActive = false) =>
  ({ callId: callId(number), callType: 'voice', callerId: ada, calleeId: can, isActive, startedAt: 10 }) as const

it('[REPORT-19] remembers a call for its two users, with its times, until a day after its end', () => {
  let now = 10
  const recent = new RecentCalls(() => now)
  recent.set(entryOf(1))
  now = 20
  recent.set(entryOf(1, true))
  now = 30
  // A region that joins announces its calls again.
  recent.set(entryOf(1, true))
  expect(recent.find(reader, can, callId(1))).toMatchObject({ startedAt: 10, connectedAt: 20, endedAt: null })
  recent.end(callId(1))
  // As a notification of the call names it.
  expect(recent.find(reader, can, callIdOf(requestIdOf(callId(1))))).toMatchObject({ callId: callId(1), endedAt: 30 })
  now = 40
  recent.end(callId(1))
  expect(recent.find(reader, ada, callId(1))).toMatchObject({ callerId: ada, connectedAt: 20, endedAt: 30 })
  expect([recent.find(reader, deniz, callId(1)), recent.find(reader, ada, callId(2))]).toEqual([undefined, undefined])
  now += 23 * HOUR_MS
  expect(recent.find(reader, ada, callId(1))).toBeDefined()
  now += HOUR_MS
  expect(recent.find(reader, ada, callId(1))).toBeUndefined()
  recent.set(entryOf(2))
  expect(recent.size).toBe(1)
})

it('[REPORT-19] remembers 20,000 calls and forgets the oldest of more', () => {
  const recent = new RecentCalls(() => 1)
  for (let number = 1; number <= 20_001; number++) recent.set(entryOf(number))
  expect(recent.size).toBe(20_000)
  expect(recent.find(reader, ada, callId(1))).toBeUndefined()
  expect(recent.find(reader, ada, callId(20_001))).toBeDefined()
})

it('[REPORT-19] knows a missed call by the notification of the callee, as after a restart', () => {
  const missed = { senderId: ada, content: 'video', createdAt: 5 }
  // A reader types its rows by the query; the one query here has these.
  const withMissed: Pick<Reader, 'get'> = { get: () => missed as never }
  const recent = new RecentCalls(() => 6)
  const known = { callType: 'video', callerId: ada, calleeId: can, startedAt: 5, connectedAt: null, endedAt: 5 }
  expect(recent.find(withMissed, can, callId(1))).toMatchObject(known)
})
