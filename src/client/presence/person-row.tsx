import { memo, type ReactNode } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ComputerIcon, ManIcon, PhoneIcon, WomanIcon } from '../ui/icons.tsx'
import { OnlineDot } from './online-dot.tsx'
import { TierLabel } from './tier-label.tsx'

interface PersonRowProps {
  person: Person
  isViewer: boolean
}

/** Somebody in a list of people. */
export const PersonRow = memo(function PersonRow({ person, isViewer }: PersonRowProps): ReactNode {
  return (
    <li className="person">
      <span className="person-face">
        <Avatar face={person} size={48} />
        <OnlineDot isOnline={person.isOnline} />
      </span>
      <span className="person-words">
        <span className="person-name">
          <span className="person-username">{person.username}</span>
          <GenderMark gender={person.gender} />
          {isViewer && <span className="person-viewer">sen</span>}
        </span>
        <TierLabel person={person} />
      </span>
      <PlatformMark platform={person.lastLoginPlatform} />
    </li>
  )
})

function GenderMark({ gender }: Pick<Person, 'gender'>): ReactNode {
  if (gender !== 'female' && gender !== 'male') return null
  const title = gender === 'female' ? 'Kadın' : 'Erkek'
  return (
    <span className={`person-gender person-gender--${gender}`} role="img" aria-label={title} title={title}>
      {gender === 'female' ? <WomanIcon size={15} /> : <ManIcon size={15} />}
    </span>
  )
}

function PlatformMark({ platform }: { platform: Person['lastLoginPlatform'] }): ReactNode {
  const title = platform === 'mobile' ? 'Mobil' : 'Web'
  return (
    <span className="person-platform" role="img" aria-label={title} title={title}>
      {platform === 'mobile' ? <PhoneIcon size={18} /> : <ComputerIcon size={18} />}
    </span>
  )
}
