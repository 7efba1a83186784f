import { describe, expect, it } from 'vitest'
import { describeDevice, UNKNOWN_DEVICE } from './device.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'
const galaxy = 'Mozilla/5.0 (Linux; Android 13; SM-S901B) AppleWebKit/537.36 (KHTML, like Gecko)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('a device', () => {
  it.each([
    [`${windows} Chrome/120.0.0.0 Safari/537.36`, 'Chrome, Windows'],
    [`${windows} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0`, 'Edge, Windows'],
    [`${galaxy} SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36`, 'Samsung Internet, Android'],
    [`${iphone} Version/17.0 Mobile/15E148 Safari/604.1`, 'Safari, iOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0', 'Firefox, Linux'],
    [`Unknown/1.0 (Windows NT 10.0)`, 'Windows'],
  ])('[ACC-51] that says %s is a browser and its system', (agent, text) => {
    expect(describeDevice(agent)).toBe(text)
  })

  it.each([
    ['nothing', undefined],
    ['an empty line', ''],
    ['a program', 'curl/8.5.0'],
    ['HTML', '<img src=x onerror=alert(1)>/1.0 (x)'],
    ['the name of something in every object', '__proto__/1.0 constructor'],
    ['letters that turn the text around', '\u202eemorhC/1.0'],
    ['a megabyte', 'x'.repeat(2 ** 20)],
    ['what slow patterns stumble over', `${'('.repeat(5_000)}${' '.repeat(60_000)}`],
  ])('[ACC-51] that says %s is one that nobody knows', (_, agent) => {
    expect(describeDevice(agent)).toBe(UNKNOWN_DEVICE)
  })
})
