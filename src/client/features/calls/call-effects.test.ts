import { afterEach, describe, expect, it, vi } from 'vitest'
import { keepScreenOn, prefixed, unprefixed } from './call-effects.ts'

const prefix = 'Ayşe arıyor · '

class FakePage extends EventTarget {
  visibilityState = 'visible'
}

function stubBrowser(request: () => Promise<{ release: () => void }>): FakePage {
  const page = new FakePage()
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', { wakeLock: { request } })
  return page
}

afterEach(() => vi.unstubAllGlobals())

describe('the screen during a call', () => {
  it('[CALLUI-11] stays on, again when the page is shown again, and no longer than the call', async () => {
    const release = vi.fn()
    const request = vi.fn(async () => ({ release }))
    const page = stubBrowser(request)
    const letSleep = keepScreenOn()
    await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(1))
    page.visibilityState = 'hidden'
    page.dispatchEvent(new Event('visibilitychange'))
    expect(request).toHaveBeenCalledTimes(1)
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event('visibilitychange'))
    await vi.waitFor(() => expect(request).toHaveBeenCalledTimes(2))
    letSleep()
    expect(release).toHaveBeenCalledTimes(1)
    page.dispatchEvent(new Event('visibilitychange'))
    expect(request).toHaveBeenCalledTimes(2)
  })

  it('[CALLUI-11] is let go if the call ends before the browser answers, and may be refused', async () => {
    const release = vi.fn()
    stubBrowser(async () => ({ release }))
    keepScreenOn()()
    await vi.waitFor(() => expect(release).toHaveBeenCalledTimes(1))
    stubBrowser(async () => Promise.reject(new Error('battery')))
    expect(() => keepScreenOn()()).not.toThrow()
  })
})

describe('the title while a call comes in', () => {
  it.each([
    ['#Meydan', 'Ayşe arıyor · #Meydan'],
    ['(3) #Meydan', '(3) Ayşe arıyor · #Meydan'],
    ['Ayşe arıyor · #Meydan', 'Ayşe arıyor · #Meydan'],
    ['(4) Ayşe arıyor · #Meydan', '(4) Ayşe arıyor · #Meydan'],
  ])('[CALLUI-09] of "%s" is "%s", once and after the number of what is unread', (title, expected) => {
    expect(prefixed(title, prefix)).toBe(expected)
  })

  it('[CALLUI-09] loses what was added, with the number that it has by then', () => {
    expect(unprefixed('(4) Ayşe arıyor · #Meydan', prefix)).toBe('(4) #Meydan')
    expect(unprefixed('Ayşe arıyor · #Meydan', prefix)).toBe('#Meydan')
    expect(unprefixed('(4) #Müzik', prefix)).toBe('(4) #Müzik')
  })
})
