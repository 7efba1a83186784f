import type { ReactNode } from 'react'
import type { Gender } from '../../shared/accounts/protocol.ts'
import type { RefusedEntry } from '../../shared/rooms/page.ts'
import { Island } from '../island.tsx'
import { defaultAvatar } from '../ui/avatar.tsx'
import { ArrowIcon } from '../ui/later-icons.tsx'
import { BrowserFields } from './browser-fields.tsx'
import { NameField } from './name-field.island.tsx'
import '../ui/field.css'

const genders: { value: Gender; label: string }[] = [
  { value: 'female', label: 'Kadın' },
  { value: 'male', label: 'Erkek' },
  { value: 'other', label: 'Diğer' },
]

interface GuestFormProps {
  refused: RefusedEntry | null
  next: string | null
  /** There is no nearer way in above it. */
  isFirst: boolean
}

/** The guest's way in: a name, a face if wished, and one is on the square. Works without a script. */
export function GuestForm({ refused, next, isFirst }: GuestFormProps): ReactNode {
  return (
    <form id="guest-form" className="entry-form" method="post" action="/api/users/guest-login">
      <BrowserFields next={next} />
      <Island is={NameField} on="interaction" initial={refused?.username ?? ''} error={refused?.error ?? null} />
      <fieldset className="faces">
        <legend className="field-label">Yüzünü seç</legend>
        {genders.map(({ value, label }) => (
          <label key={value} className="face">
            <input
              className="visually-hidden"
              type="radio"
              name="gender"
              value={value}
              defaultChecked={refused?.gender === value}
            />
            <img src={defaultAvatar(value)} alt="" width="72" height="72" />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <button type="submit" className={isFirst ? 'button button--large button--accent' : 'button button--large'}>
        Meydana gir <ArrowIcon />
      </button>
    </form>
  )
}
