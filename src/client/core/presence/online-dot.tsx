import type { ReactNode } from 'react'
import '../ui/person/person.css'

/** Blue for an online user, grey for an offline one (specification 2, point 2, "Tier label and online dot"). */
export function OnlineDot({ isOnline }: { isOnline: boolean }): ReactNode {
  const title = isOnline ? 'Online' : 'Offline'
  return <span className="online-dot" data-online={isOnline} role="img" aria-label={title} title={title} />
}
