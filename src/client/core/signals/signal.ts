import { signal as createSignal, type Signal } from '@preact/signals-react'

export {
  batch,
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  useComputed,
  useSignal,
  useSignalEffect,
} from '@preact/signals-react'

/**
 * State that islands share. On the server it is frozen: a module lives as long as the process, so a value
 * written while one person's page is rendered would show up in another's. Data reaches islands as props there.
 */
export function signal<T>(initial: T): Signal<T> {
  const made = createSignal(initial)
  if (!import.meta.env.SSR) return made
  deepFreeze(initial)
  return Object.defineProperty(made, 'value', {
    get: () => initial,
    set: () => {
      throw new Error('A module signal cannot be set on the server: pass the data as props.')
    },
  })
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) deepFreeze(inner)
}
