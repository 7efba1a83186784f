import { useEffect, useState } from 'react'
import { live } from '../live/state.ts'
import { session } from './session.ts'

/** Whether whoever looks is a root admin now. */
export function useIsRootAdmin(): boolean {
  const [isOne, setOne] = useState(() => session.isRootAdmin())
  useEffect(() => live.on('userProfileUpdated', () => setOne(session.isRootAdmin())), [])
  return isOne
}
