import { useLayoutEffect, useRef } from 'react'
import { closeOnBack } from './close-on-back.ts'

/**
 * Back calls `close` while `isOpen`, after it has closed what opened later.
 * @param path of the page with the layer, if it has a URL of its own
 */
export function useCloseOnBack(close: () => void, isOpen = true, path?: string): void {
  const latest = useRef(close)
  useLayoutEffect(() => {
    latest.current = close
  })
  useLayoutEffect(() => (isOpen ? closeOnBack(() => latest.current(), path) : undefined), [isOpen, path])
}
