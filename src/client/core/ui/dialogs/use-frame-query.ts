import { useState } from 'react'
import { useSignalValue } from '../../signals/use-signal-value.ts'
import { useMediaQuery } from '../use-media-query.ts'
import { openModals } from './open-modals.ts'

const noModals: readonly HTMLDialogElement[] = []

/**
 * As `useMediaQuery`, for a frame that is a modal where the query does not match. The value stays the same while
 * another modal is open: a frame that opened now would be above it, and one that closed would take the focus out of it.
 */
export function useFrameQuery(query: string, serverValue: boolean): boolean {
  const matches = useMediaQuery(query, serverValue)
  const modalCount = useSignalValue(openModals, noModals).length
  const [value, setValue] = useState(matches)
  const ownModalCount = value ? 0 : 1
  if (value !== matches && modalCount <= ownModalCount) setValue(matches)
  return value
}
