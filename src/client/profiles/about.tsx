import type { ReactNode } from 'react'
import type { About as AboutThem } from '../../shared/accounts/protocol.ts'
import { countText } from '../ui/turkish-number.ts'
import { CakeIcon, PlaceIcon } from './icons.tsx'
import './about.css'

/** What somebody says of themselves: age, city and a few words. Nothing where they say nothing. */
export function About({ about: { age, city, bio } }: { about: Omit<AboutThem, 'largeAvatarUrl'> }): ReactNode {
  return (
    <>
      {(age !== null || city !== null) && (
        <ul className="about-facts">
          {age !== null && (
            <li>
              <CakeIcon size={16} />
              {countText(age)} yaşında
            </li>
          )}
          {city !== null && (
            <li>
              <PlaceIcon size={16} />
              <bdi>{city}</bdi>
            </li>
          )}
        </ul>
      )}
      {bio !== null && <p className="about-bio">{bio}</p>}
    </>
  )
}
