import { describe, expect, it } from 'vitest'

const exportsOf = (modules: Record<string, Record<string, unknown>>) =>
  Object.entries(modules).map(([path, module]) => [path.split('/').at(-2) ?? '', module] as const)

const menuEntries = exportsOf(import.meta.glob('../*/menu-entries.ts', { eager: true }))
const personMenuEntries = exportsOf(import.meta.glob('../*/person-menu-entries.ts', { eager: true }))
const overlays = exportsOf(import.meta.glob('../*/overlays.ts', { eager: true }))

describe('what features register', () => {
  it.each([
    ['menuEntries', menuEntries],
    ['personMenuEntries', personMenuEntries],
    ['overlays', overlays],
  ])('is exported as %s, and nothing else is', (name, modules) => {
    expect(modules.length).toBeGreaterThan(2)
    expect(modules.filter(([, module]) => Object.keys(module).join() !== name)).toEqual([])
  })

  it('gives no two entries of a menu the same place', () => {
    const places = [...menuEntries, ...personMenuEntries]
      .flatMap(([, module]) => Object.values(module).flat() as { menu?: string; order: number }[]) // as the test above found
      .map(({ menu = 'person', order }) => `${menu} ${order}`)
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
  })

  it('gives no two overlays the same name', () => {
    const names = overlays.flatMap(([, module]) => Object.keys(module.overlays ?? {}))
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})
