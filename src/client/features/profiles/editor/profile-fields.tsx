import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { MAX_BIO_LENGTH } from '../../../../shared/profiles/rules.ts'
import type { ProfileFormValues } from './save-profile.ts'

interface ProfileFieldsProps {
  username: string
  values: ProfileFormValues
  onChange: (changed: Partial<ProfileFormValues>) => void
}

/** The fields of the profile and the password. */
export function ProfileFields({ username, values, onChange }: ProfileFieldsProps): ReactNode {
  const field = (name: keyof ProfileFormValues) => ({
    name,
    value: values[name],
    onValueChange: (value: string) => onChange({ [name]: value }),
  })
  return (
    <>
      <div className="field-row">
        <Field label="Konum" {...field('city')} autoComplete="address-level2" placeholder="İstanbul" />
        <Field label="Yaş" {...field('age')} inputMode="numeric" maxLength={2} autoComplete="off" />
      </div>
      <BioField {...field('bio')} />
      <details className="fold">
        <summary>Şifreni değiştir</summary>
        <div>
          {/* For the browser's password manager. */}
          <input hidden readOnly name="username" autoComplete="username" value={username} />
          <Field label="Mevcut şifre" {...field('currentPassword')} type="password" autoComplete="current-password" />
          <Field label="Yeni şifre" {...field('newPassword')} type="password" autoComplete="new-password" />
          <Field
            label="Yeni şifre (tekrar)"
            {...field('newPasswordConfirmation')}
            type="password"
            autoComplete="new-password"
          />
          <p className="field-hint">Şifren değişince diğer cihazlardaki oturumların kapanır.</p>
        </div>
      </details>
    </>
  )
}

interface FieldProps {
  name: string
  value: string
  onValueChange: (value: string) => void
}

function Field({
  label,
  onValueChange,
  ...input
}: FieldProps & { label: string } & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input id={id} className="field-input" {...input} onChange={({ target }) => onValueChange(target.value)} />
    </div>
  )
}

function BioField({ name, value, onValueChange }: FieldProps): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Hakkımda
      </label>
      <textarea
        dir="auto"
        id={id}
        className="field-input field-area"
        name={name}
        value={value}
        rows={3}
        placeholder="Kendinden biraz söz et"
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onValueChange(target.value)}
      />
      <p id={`${id}-note`} className="field-hint">
        {`${value.length} / ${MAX_BIO_LENGTH}`}
      </p>
    </div>
  )
}
