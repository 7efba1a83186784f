import { describe, expect, it } from 'vitest'
import { describeDevice, UNKNOWN_DEVICE } from './device.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'
const galaxy = 'Mozilla/5.0 (Linux; Android 13; SM-S901B) AppleWebKit/537.36 (KHTML, like Gecko)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('describeDevice', () => {
  it.each([
    [`${windows} Chrome/120.0.0.0 Safari/537.36`, 'Chrome, Windows'],
    [`${windows} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0`, 'Edge, Windows'],
    [`${galaxy} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`, 'Samsung Internet, Android'],
    [`${iphone} Version/17.0 Mobile/15E148 Safari/604.1`, 'Safari, iOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0', 'Firefox, Linux'],
    [`Unknown/1.0 (Windows NT 10.0)`, 'Windows'],
  ])('[ACC-51] reads browser and system from %s', (agent, text) => {
    expect(describeDevice(agent)).toBe(text)
  })

  it.each([
    ['nothing', undefined],
    ['an empty string', ''],
    ['a command-line program', 'curl/8.5.0'],
    ['HTML', '<img src=x onerror=alert(1)>/1.0 (x)'],
    ['a property name of every object', '__proto__/1.0 constructor'],
    ['bidirectional control characters', '\u202eemorhC/1.0'],
    ['a megabyte', 'x'.repeat(2 ** 20)],
    ['input that slows down backtracking patterns', `${'('.repeat(5_000)}${' '.repeat(60_000)}`],
  ])('[ACC-51] calls the device unknown for %s', (_, agent) => {
    expect(describeDevice(agent)).toBe(UNKNOWN_DEVICE)
  })
})
