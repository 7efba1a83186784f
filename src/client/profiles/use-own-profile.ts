import { useEffect, useState } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import { live } from '../live/state.ts'

/** Whoever looks, as they are shown now: what the page was rendered with, and what has changed of it since. */
export function useOwnProfile(viewer: Person): Person {
  const [face, setFace] = useState(viewer)
  useEffect(
    () => live.on('userProfileUpdated', ({ user }) => user.id === viewer.id && setFace((own) => ({ ...own, ...user }))),
    [viewer.id],
  )
  return face
}
