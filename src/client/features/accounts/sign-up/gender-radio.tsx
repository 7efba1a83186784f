import type { ReactNode } from 'react'
import type { Gender } from '../../../../shared/accounts/protocol.ts'
import { defaultAvatarPath } from '../../../core/ui/person/avatar.tsx'
import '../../../core/ui/forms/field.css'
import './gender-radio.css'

const genders: { value: Gender; label: string }[] = [
  { value: 'female', label: 'Kadın' },
  { value: 'male', label: 'Erkek' },
  { value: 'other', label: 'Diğer' },
]

/** An optional gender, each option with its default avatar. Plain radio buttons of a form. */
export function GenderRadio({ legend, chosen }: { legend: string; chosen: Gender | null }): ReactNode {
  return (
    <fieldset className="gender-radio">
      <legend className="field-label">{legend}</legend>
      {genders.map(({ value, label }) => (
        <label key={value}>
          <input
            className="visually-hidden"
            type="radio"
            name="gender"
            value={value}
            defaultChecked={chosen === value}
          />
          <img src={defaultAvatarPath(value)} alt="" width="72" height="72" />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
