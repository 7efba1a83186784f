import type { ReactNode } from 'react'
import type { Person } from '../../../../shared/accounts/protocol.ts'
import { StarIcon } from '../icons.tsx'
import './person.css'

const ROOT_ADMIN_STARS = 6

/** A user's tier, by the precedence of specification 2, point 2, "Tier label and online dot". */
export function TierLabel({ person }: { person: Pick<Person, 'role' | 'premiumStatus' | 'isGuest'> }): ReactNode {
  if (person.role === 'rootadmin') {
    return (
      <span className="tier tier--high">
        Root Admin
        <span>
          {Array.from({ length: ROOT_ADMIN_STARS }, (_, star) => (
            <StarIcon key={star} size={10} />
          ))}
        </span>
      </span>
    )
  }
  if (person.premiumStatus === 'premium') return <span className="tier tier--high">Premium</span>
  return <span className="tier">{person.isGuest ? 'Misafir' : 'Member'}</span>
}
