import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { MAX_BIO_LENGTH } from '../../shared/profiles/rules.ts'
import type { ProfileFormError, ProfileFormValues } from './save-profile.ts'

interface ProfileFieldsProps {
  username: string
  values: ProfileFormValues
  error: ProfileFormError | null
  onChange: (changed: Partial<ProfileFormValues>) => void
}

/** The fields of the profile and the password. */
export function ProfileFields({ username, values, error, onChange }: ProfileFieldsProps): ReactNode {
  const field = (name: keyof ProfileFormValues) => ({
    name,
    value: values[name],
    error: error?.path === name ? error.message : null,
    onValueChange: (value: string) => onChange({ [name]: value }),
  })
  const [isOpen, setOpen] = useState(false)
  // Opens the password section for an error and keeps it open while the error is corrected.
  if (error?.path?.toLowerCase().includes('password') && !isOpen) setOpen(true)
  return (
    <>
      <div className="profile-pair">
        <Field label="Konum" {...field('city')} autoComplete="address-level2" placeholder="İstanbul" />
        <Field label="Yaş" {...field('age')} inputMode="numeric" maxLength={2} autoComplete="off" />
      </div>
      <BioField {...field('bio')} />
      <details className="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Şifreni değiştir</summary>
        <div className="profile-passwords">
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
          <p className="form-hint">Şifren değişince diğer cihazlardaki oturumların kapanır.</p>
        </div>
      </details>
    </>
  )
}

interface FieldProps {
  name: string
  value: string
  error: string | null
  onValueChange: (value: string) => void
}

function Field({
  label,
  error,
  onValueChange,
  ...input
}: FieldProps & { label: string } & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="field-input"
        {...input}
        {...(error && { 'aria-invalid': true, 'aria-describedby': `${id}-error` })}
        onChange={({ target }) => onValueChange(target.value)}
      />
      {error && (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

function BioField({ name, value, error, onValueChange }: FieldProps): ReactNode {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        Hakkımda
      </label>
      <textarea
        dir="auto"
        id={id}
        className="field-input profile-bio"
        name={name}
        value={value}
        rows={3}
        placeholder="Kendinden biraz söz et"
        aria-describedby={`${id}-note`}
        aria-invalid={error !== null}
        onChange={({ target }) => onValueChange(target.value)}
      />
      <p id={`${id}-note`} className={error ? 'field-error' : 'profile-chars-left'} role={error ? 'alert' : undefined}>
        {error ?? `${value.length} / ${MAX_BIO_LENGTH}`}
      </p>
    </div>
  )
}
