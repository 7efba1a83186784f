import { afterEach, describe, expect, it, vi } from 'vitest'
import { computed, signal } from './signal.ts'

describe('a module signal', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('throws on the server when it is set, so one render can leave nothing to the next', () => {
    vi.stubEnv('SSR', true)
    const name = signal('Ayşe')
    expect(() => {
      name.value = 'Fatma'
    }).toThrow('cannot be set on the server')
    expect([name.value, name.peek()]).toEqual(['Ayşe', 'Ayşe'])
  })

  it('throws on the server when what it holds is changed', () => {
    vi.stubEnv('SSR', true)
    const people = signal([{ names: ['Ayşe'] }])
    expect(() => people.value.push({ names: [] })).toThrow(TypeError)
    expect(() => people.value[0]?.names.push('Fatma')).toThrow(TypeError)
  })

  it('can be computed from on the server', () => {
    vi.stubEnv('SSR', true)
    const count = signal(20)
    expect(computed(() => count.value + 1).value).toBe(21)
  })

  it('is set in the browser', () => {
    vi.stubEnv('SSR', false)
    const name = signal('Ayşe')
    name.value = 'Fatma'
    expect(name.value).toBe('Fatma')
  })
})
