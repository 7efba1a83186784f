import type { ReactNode } from 'react'
import type { PublicProfile } from '../../../shared/accounts/protocol.ts'
import { parseRichText } from '../../../shared/text/rich-text.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { CakeIcon, PlaceIcon } from '../../core/ui/person/icons.tsx'
import { WebLink } from '../../core/ui/web-link.tsx'
import './profile-details.css'

/** A user's age, city and bio; absent fields are not shown. */
export function ProfileDetailsView({
  about: { age = null, city = null, bio = null },
}: {
  about: Pick<PublicProfile, 'age' | 'city' | 'bio'>
}): ReactNode {
  return (
    <>
      {(age !== null || city !== null) && (
        <ul className="profile-details-row">
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
      {bio !== null && (
        <p className="profile-bio-text" dir="auto">
          <LinkedText text={bio} />
        </p>
      )}
    </>
  )
}

/** Plain text in which only addresses are links. */
function LinkedText({ text }: { text: string }): ReactNode {
  return parseRichText(text).map((piece, index) => {
    return piece.kind === 'link' ? <WebLink key={index} {...piece} /> : piece.text
  })
}
