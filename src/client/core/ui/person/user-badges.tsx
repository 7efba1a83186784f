import type { ReactNode } from 'react'
import type { Person } from '../../../../shared/accounts/protocol.ts'
import { ComputerIcon, ManIcon, PhoneIcon, WomanIcon } from '../lazy-icons.tsx'
import './person.css'

/** A gender's name in Turkish; null if it is not shown. */
function genderName(gender: Person['gender']): string | null {
  return gender === 'female' ? 'Kadın' : gender === 'male' ? 'Erkek' : null
}

/** A platform's name in Turkish. */
function platformName(platform: Person['lastLoginPlatform']): string {
  return platform === 'mobile' ? 'Mobil' : 'Web'
}

export function GenderBadge({ gender }: Pick<Person, 'gender'>): ReactNode {
  const title = genderName(gender)
  return (
    title && (
      <span className={`person-gender person-gender--${gender}`} role="img" aria-label={title} title={title}>
        {gender === 'female' ? <WomanIcon size={15} /> : <ManIcon size={15} />}
      </span>
    )
  )
}

export function PlatformBadge({ platform }: { platform: Person['lastLoginPlatform'] }): ReactNode {
  const title = platformName(platform)
  return (
    <span className="fixed faint" role="img" aria-label={title} title={title}>
      {platform === 'mobile' ? <PhoneIcon size={18} /> : <ComputerIcon size={18} />}
    </span>
  )
}
