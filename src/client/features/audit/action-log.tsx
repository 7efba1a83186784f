import type { ReactNode } from 'react'
import type { ProfileSectionProps } from '../../model/profiles/profile-section.ts'
import { ActionLogList } from './action-log-list.tsx'

/** 'Hareketler:' of a member's profile, for root admins. */
export function ActionLog({ answer: { actions = [] } }: ProfileSectionProps): ReactNode {
  return (
    <section className="profile-section">
      <h4>Hareketler:</h4>
      <ActionLogList actions={actions} />
    </section>
  )
}
