import { useEffect, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { live } from '../../core/live/state.ts'

/** The viewer as rendered with the page, with later updates applied. */
export function useOwnProfile(viewer: Person): Person {
  const [profile, setProfile] = useState(viewer)
  useEffect(
    () =>
      live.on('userProfileUpdated', ({ user }) => user.id === viewer.id && setProfile((own) => ({ ...own, ...user }))),
    [viewer.id],
  )
  return profile
}
