import { useEffect, useState } from 'react'
import { live } from '../live/state.ts'
import { session } from '../session/session.ts'

/** Whether the viewer is a root admin; follows role changes. */
export function useIsRootAdmin(): boolean {
  const [isRootAdmin, setRootAdmin] = useState(() => session.isRootAdmin())
  useEffect(() => live.on('userProfileUpdated', () => setRootAdmin(session.isRootAdmin())), [])
  return isRootAdmin
}
