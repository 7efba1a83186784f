import { expect, it } from 'vitest'
import { lastSeenText, onlineText } from './last-seen.ts'

const now = Date.parse('2026-03-10T12:00:00+03:00')
const at = (time: string) => Date.parse(`${time}+03:00`)

it.each([
  [null, 'Çevrimiçi'],
  [at('2026-03-10T11:59:30'), 'Çevrimiçi'],
  [at('2026-03-10T12:05:00'), 'Çevrimiçi'],
  [at('2026-03-10T11:58:00'), '2 dakikadır çevrimiçi'],
  [at('2026-03-10T09:30:00'), '2 saattir çevrimiçi'],
  [at('2026-03-07T11:00:00'), '3 gündür çevrimiçi'],
])('[PRES-16] writes a connection since %s as "%s"', (connectedAt, text) => {
  expect(onlineText(connectedAt, now)).toBe(text)
})

it.each([
  [at('2026-03-10T11:59:30'), 'Son görülme: az önce'],
  [at('2026-03-10T11:43:00'), 'Son görülme: 17 dakika önce'],
  [at('2026-03-10T10:15:00'), 'Son görülme: Bugün 10:15'],
  [at('2026-03-09T23:59:00'), 'Son görülme: Dün 23:59'],
  [at('2026-03-01T08:05:00'), 'Son görülme: 1 Mart Pazar 08:05'],
  [at('2025-12-31T08:05:00'), 'Son görülme: 31 Aralık 2025 Çarşamba 08:05'],
])('[PRES-16] writes a last activity at %s as "%s"', (lastActive, text) => {
  expect(lastSeenText(lastActive, now)).toBe(text)
})
