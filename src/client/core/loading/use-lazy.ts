import { useEffect, useState } from 'react'
import { loadLazy } from './load-lazy.ts'

/** A module that the component uses as soon as it has loaded; null until then. `load` must be the same at each render. */
export function useLazy<T>(load: () => Promise<T>): T | null {
  const [part, setPart] = useState<T | null>(null)
  useEffect(() => {
    void loadLazy(load).then(setPart)
  }, [load])
  return part
}
