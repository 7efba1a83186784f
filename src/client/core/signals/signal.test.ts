import { afterEach, describe, expect, it, vi } from 'vitest'
import { computed, signal } from './signal.ts'

describe('a module signal', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('throws on the server when it is set, so that renders share no state', () => {
    vi.stubEnv('SSR', true)
    const name = signal('Ayşe')
    expect(() => {
      name.value = 'Fatma'
    }).toThrow('cannot be set on the server')
    expect([name.value, name.peek()]).toEqual(['Ayşe', 'Ayşe'])
  })

  it('throws on the server when its value is changed in place', () => {
    vi.stubEnv('SSR', true)
    const people = signal([{ names: ['Ayşe'] }])
    expect(() => people.value.push({ names: [] })).toThrow(TypeError)
    expect(() => people.value[0]?.names.push('Fatma')).toThrow(TypeError)
  })

  it('can be read by computed signals on the server', () => {
    vi.stubEnv('SSR', true)
    const count = signal(20)
    expect(computed(() => count.value + 1).value).toBe(21)
  })

  it('can be set in the browser', () => {
    vi.stubEnv('SSR', false)
    const name = signal('Ayşe')
    name.value = 'Fatma'
    expect(name.value).toBe('Fatma')
  })
})
