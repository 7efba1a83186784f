import { useEffect, useState } from 'react'
import { loadPart } from './load-part.ts'

/** A module that the component uses as soon as it has loaded; null until then. `load` must be the same at each render. */
export function usePart<T>(load: () => Promise<T>): T | null {
  const [part, setPart] = useState<T | null>(null)
  useEffect(() => {
    void loadPart(load).then(setPart)
  }, [load])
  return part
}
