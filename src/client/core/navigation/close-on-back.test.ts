import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

/** A history that moves later, as in browsers, and whose new entries replace those in front. */
class FakeHistory extends EventTarget {
  entries: { state: unknown; path: string }[] = [{ state: null, path: '/room/1' }]
  index = 0

  get state(): unknown {
    return this.entries[this.index]?.state
  }

  get path(): string {
    return this.entries[this.index]?.path ?? ''
  }

  pushState(state: unknown, _: string, path = this.path): void {
    this.entries.splice(++this.index, Number.POSITIVE_INFINITY, { state, path })
  }

  replaceState(state: unknown, _: string, path = this.path): void {
    this.entries[this.index] = { state, path }
  }

  go(steps: number): void {
    setTimeout(() => {
      if (!this.entries[this.index + steps]) return
      this.index += steps
      this.dispatchEvent(new Event('popstate'))
    })
  }
}

let history: FakeHistory
let layers: typeof import('./close-on-back.ts')

beforeEach(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  history = new FakeHistory()
  vi.stubGlobal('history', history)
  vi.stubGlobal('location', {
    get pathname() {
      return history.path.split('?')[0]
    },
    get search() {
      return history.path.slice(location.pathname.length)
    },
  })
  vi.stubGlobal('addEventListener', history.addEventListener.bind(history))
  layers = await import('./close-on-back.ts')
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A layer that closes when Back asks it to, unless it stays to ask a question. */
function open({ path, stays = false }: { path?: string; stays?: boolean } = {}) {
  const closed = vi.fn(() => stays || remove())
  const remove = layers.closeOnBack(closed, path)
  return { close: remove, countBacks: () => closed.mock.calls.length }
}

async function settled(): Promise<void> {
  await vi.runAllTimersAsync()
}

async function move(steps: number): Promise<void> {
  history.go(steps)
  await settled()
}

const back = (): Promise<void> => move(-1)

it('[SHELL-37] [DM-26] [DM-52] Back closes one of three layers at a time, the topmost first', async () => {
  const opened = [open(), open(), open()]
  await settled()
  const counts = () => opened.map(({ countBacks }) => countBacks())
  expect(history.index).toBe(3)
  await back()
  expect(counts()).toEqual([0, 0, 1])
  await back()
  expect(counts()).toEqual([0, 1, 1])
  await back()
  expect([counts(), history.index]).toEqual([[1, 1, 1], 0])
})

it('[SHELL-37] a jump over several entries closes their layers', async () => {
  const opened = [open(), open(), open()]
  await settled()
  await move(-2)
  expect(opened.map(({ countBacks }) => countBacks())).toEqual([0, 1, 1])
  expect(history.index).toBe(1)
})

it('[SHELL-37] a layer that closes by a button or Esc leaves its entry', async () => {
  const layer = open()
  await settled()
  layer.close()
  await settled()
  expect([history.index, layer.countBacks()]).toEqual([0, 0])
})

it('[SHELL-37] a layer that asks first stays, and Back reaches it again', async () => {
  const layer = open({ stays: true })
  await settled()
  await back()
  await back()
  expect([history.index, layer.countBacks()]).toEqual([1, 2])
})

it('[SHELL-37] Forward to the entry of a closed layer goes back', async () => {
  open()
  await settled()
  await back()
  await move(1)
  expect(history.index).toBe(0)
})

it('[SHELL-37] a layer that opens in place of another one takes over its entry', async () => {
  const first = open()
  await settled()
  const go = vi.spyOn(history, 'go')
  first.close()
  const second = open()
  await settled()
  expect([history.index, go.mock.calls.length]).toEqual([1, 0])
  await back()
  expect([first.countBacks(), second.countBacks()]).toEqual([0, 1])
})

it.each([
  ['the lower one first', [0, 1]],
  ['the upper one first', [1, 0]],
])('[DM-75] two layers that close at once leave no entry, %s', async (_, order) => {
  const opened = [open(), open()]
  await settled()
  for (const index of order) opened[index]?.close()
  await settled()
  expect([history.index, ...opened.map(({ countBacks }) => countBacks())]).toEqual([0, 0, 0])
})

it('[DM-75] a layer that closes below another one leaves it open, and one entry goes', async () => {
  const [lower, upper] = [open(), open()]
  await settled()
  lower.close()
  await settled()
  expect(history.index).toBe(1)
  await back()
  expect([lower.countBacks(), upper.countBacks(), history.index]).toEqual([0, 1, 0])
})

it('[SHELL-37] a layer that opens while an entry is left stays open, and Back closes it', async () => {
  open().close()
  const first = open()
  await settled()
  first.close()
  await Promise.resolve()
  const second = open()
  await settled()
  expect([history.index, second.countBacks()]).toEqual([1, 0])
  await back()
  expect([history.index, second.countBacks()]).toEqual([0, 1])
})

it('[PROF-44] a layer with a URL has it as long as it is open, also below another one', async () => {
  const profile = open({ path: '/room/1?profil=Ada' })
  open()
  await settled()
  expect(history.path).toBe('/room/1?profil=Ada')
  profile.close()
  await settled()
  expect(history.path).toBe('/room/1')
  await back()
  expect([history.path, history.index]).toEqual(['/room/1', 0])
})

it('[PROF-44] Forward to a layer with a URL waits for it, and Back closes it again', async () => {
  open({ path: '/room/1?profil=Ada' })
  await settled()
  await back()
  await move(1)
  expect(history.path).toBe('/room/1?profil=Ada')
  const again = open({ path: '/room/1?profil=Ada' })
  await settled()
  await back()
  expect([history.path, again.countBacks()]).toEqual(['/room/1', 1])
})

it('[SHELL-51] the lowest layer is closed last, also if it is added last', async () => {
  const upper = open()
  await settled()
  const closeLowest = vi.fn()
  layers.closeOnLastBack(closeLowest)
  await settled()
  await back()
  expect([upper.countBacks(), closeLowest.mock.calls.length]).toEqual([1, 0])
  await back()
  expect(closeLowest).toHaveBeenCalledTimes(1)
})

it('[SHELL-37] after a reload the entries of layers that are gone are left', async () => {
  open()
  open()
  await settled()
  vi.resetModules()
  history = Object.assign(new FakeHistory(), { entries: history.entries, index: history.index })
  vi.stubGlobal('history', history)
  vi.stubGlobal('addEventListener', history.addEventListener.bind(history))
  layers = await import('./close-on-back.ts')
  expect(layers.isLayerEntry()).toBe(true)
  layers.closeOnLastBack(vi.fn())
  await settled()
  expect(history.index).toBe(1)
})

it('[SHELL-37] a link to another place in the page closes nothing', async () => {
  const layer = open()
  await settled()
  history.pushState(null, '')
  history.dispatchEvent(new Event('popstate'))
  await settled()
  expect(layer.countBacks()).toBe(0)
  await back()
  expect(layer.countBacks()).toBe(0)
  await back()
  expect(layer.countBacks()).toBe(1)
})

it('[SHELL-37] a navigation from a layer follows the entry of the page, and Back leads there', async () => {
  const layer = open()
  open({ path: '/room/1?profil=Ada' })
  await settled()
  const left = layers.leaveLayerEntries()
  await settled()
  await left
  history.pushState(null, '', '/room/2')
  layer.close()
  await settled()
  expect(history.entries.map(({ path }) => path)).toEqual(['/room/1', '/room/2'])
  const there = open()
  await settled()
  await back()
  await back()
  expect([history.path, there.countBacks()]).toEqual(['/room/1', 1])
})

it('[SHELL-37] a navigation while the entry of a closed layer is left stays in the page', async () => {
  history.pushState(null, '', '/room/2')
  layers.closeOnLastBack(vi.fn())
  const layer = open()
  await settled()
  layer.close()
  await Promise.resolve()
  const left = layers.leaveLayerEntries()
  await settled()
  await left
  expect([history.index, history.path]).toEqual([1, '/room/2'])
})

it('[PROF-44] the user returns to a layer with a URL, and the closing of two layers does not', async () => {
  const returned = vi.fn()
  layers.onUserTraversal(returned)
  const profile = open({ path: '/room/1?profil=Ada' })
  const menu = open()
  await settled()
  menu.close()
  await Promise.resolve()
  profile.close()
  await settled()
  expect([history.path, returned.mock.calls.length]).toEqual(['/room/1', 0])
  await move(1)
  expect(returned).toHaveBeenCalledTimes(1)
})

it('[SHELL-37] a move to another page closes no layer as Back does', async () => {
  history.pushState(null, '', '/room/2')
  const layer = open()
  await settled()
  await move(-2)
  expect([history.path, layer.countBacks()]).toEqual(['/room/1', 0])
})

type Step = 'open' | 'closeTop' | 'closeBottom' | 'back' | 'wait'

it('[SHELL-37] whatever opens and closes, each open layer has one entry, and Back never leaves the page', async () => {
  const step = fc.constantFrom<Step>('open', 'closeTop', 'closeBottom', 'back', 'wait')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const openLayers: (() => void)[] = []
      const close = (index: number): void => openLayers.splice(index, 1)[0]?.()
      const openNext = (): void => {
        const remove = layers.closeOnBack(() => close(openLayers.indexOf(remove)))
        openLayers.push(remove)
      }
      for (const each of steps) {
        if (each === 'open') openNext()
        else if (each === 'closeTop') close(-1)
        else if (each === 'closeBottom') close(0)
        else {
          await settled()
          if (each === 'back' && openLayers.length > 0) await back()
        }
      }
      await settled()
      expect(history.index).toBe(openLayers.length)
      while (openLayers.length > 0) close(0)
      await settled()
      expect(history.path).toBe('/room/1')
    }),
    { numRuns: 100 },
  )
})
