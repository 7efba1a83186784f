import { useEffect, useLayoutEffect, useRef } from 'react'
import { closeOnBack } from './close-on-back.ts'

/** Back calls `close` while `isOpen`. */
export function useCloseOnBack(name: string, isOpen: boolean, close: () => void): void {
  const latest = useRef(close)
  useLayoutEffect(() => {
    latest.current = close
  })
  useEffect(() => (isOpen ? closeOnBack(name, () => latest.current()) : undefined), [name, isOpen])
}
