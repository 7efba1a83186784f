import { describe, expect, test } from 'vitest'
import { clockTime, dateText, dayName, isSameDay } from './turkish-time.ts'

const noon = Date.UTC(2025, 10, 12, 9, 0)

describe('Turkish times', () => {
  test('a clock time has two digits each and is in Istanbul’s time zone', () => {
    expect(clockTime(Date.UTC(2025, 10, 12, 6, 5))).toBe('09:05')
    expect(clockTime(Date.UTC(2025, 10, 11, 21, 0))).toBe('00:00')
  })

  test('a day begins at midnight in Istanbul, not in UTC', () => {
    const beforeMidnight = Date.UTC(2025, 10, 11, 20, 59)
    const atMidnight = Date.UTC(2025, 10, 11, 21, 0)
    expect(isSameDay(beforeMidnight, atMidnight)).toBe(false)
    expect(isSameDay(atMidnight, noon)).toBe(true)
  })

  test('a date has its year and is in Istanbul’s time zone', () => {
    expect(dateText(Date.UTC(2024, 11, 31, 21, 0))).toBe('1 Ocak 2025')
  })

  test('today and yesterday have names, earlier days have dates', () => {
    expect(dayName(noon, noon)).toBe('Bugün')
    expect(dayName(Date.UTC(2025, 10, 11, 6, 0), noon)).toBe('Dün')
    expect(dayName(Date.UTC(2025, 10, 10, 6, 0), noon)).toBe('10 Kasım Pazartesi')
    expect(dayName(Date.UTC(2024, 10, 12, 9, 0), noon)).toBe('12 Kasım 2024 Salı')
  })
})
