import { describe, expect, it } from 'vitest'

const exportsOf = (modules: Record<string, Record<string, unknown>>) =>
  Object.entries(modules).map(([path, module]) => [path.split('/').at(-2) ?? '', module] as const)

const menuEntries = exportsOf(import.meta.glob('../../**/menu-entries.ts', { eager: true }))
const personMenuEntries = exportsOf(import.meta.glob('../../**/person-menu-entries.ts', { eager: true }))
const messageMenuEntries = exportsOf(import.meta.glob('../../**/message-menu-entries.ts', { eager: true }))
const dockEntries = exportsOf(import.meta.glob('../../**/dock-entries.tsx', { eager: true }))
const overlays = exportsOf(import.meta.glob('../../**/overlays.ts', { eager: true }))
const starts = exportsOf(import.meta.glob('../../**/start.ts', { eager: true }))
const liveListeners = exportsOf(import.meta.glob('../../**/live-listeners.ts', { eager: true }))
const profileSections = exportsOf(import.meta.glob('../../**/profile-sections.ts', { eager: true }))
const roomManagementSections = exportsOf(import.meta.glob('../../**/room-management-sections.ts', { eager: true }))
const optionSections = exportsOf(import.meta.glob('../../**/option-sections.ts', { eager: true }))
const moderationSections = exportsOf(import.meta.glob('../../**/moderation-sections.ts', { eager: true }))
const panels = exportsOf(import.meta.glob('../../**/panels.ts', { eager: true }))

describe('registrations of features', () => {
  it.each([
    ['start', starts],
    ['listen', liveListeners],
  ])('are the only export, a function named %s', (name, modules) => {
    expect(modules).not.toEqual([])
    expect(modules.filter(([, module]) => Object.keys(module).join() !== name)).toEqual([])
    expect(modules.filter(([, module]) => typeof module[name] !== 'function')).toEqual([])
  })

  it.each([
    ['menuEntries', menuEntries],
    ['personMenuEntries', personMenuEntries],
    ['messageMenuEntries', messageMenuEntries],
    ['dockEntries', dockEntries],
    ['overlays', overlays],
    ['panels', panels],
    ['profileSections', profileSections],
    ['roomManagementSections', roomManagementSections],
    ['optionSections', optionSections],
    ['moderationSections', moderationSections],
  ])('are the only export, named %s', (name, modules) => {
    expect(modules).not.toEqual([])
    expect(modules.filter(([, module]) => Object.keys(module).join() !== name)).toEqual([])
  })

  it('have a different order in each menu', () => {
    const ordersOf = (modules: typeof menuEntries, menuName: string) =>
      modules
        .flatMap(([, module]) => Object.values(module).flat() as { menu?: string; order: number }[]) // as the test above found
        .map(({ menu = menuName, order }) => `${menu} ${order}`)
    const orders = [
      ...ordersOf([...menuEntries, ...personMenuEntries], 'person'),
      ...ordersOf(messageMenuEntries, 'message'),
      ...ordersOf(profileSections, 'profile'),
      ...ordersOf(roomManagementSections, 'room management'),
      ...ordersOf(optionSections, 'options'),
      ...ordersOf(moderationSections, 'moderation'),
    ]
    expect(orders.filter((order, index) => orders.indexOf(order) !== index)).toEqual([])
  })

  it.each([
    ['overlays', overlays],
    ['panels', panels],
  ])('have unique names among all %s', (name, modules) => {
    const names = modules.flatMap(([, module]) => Object.keys(module[name] ?? {}))
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([])
  })
})
