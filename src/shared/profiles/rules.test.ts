import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AGE_INVALID } from '../accounts/rules.ts'
import { isProfileFieldError, MAX_BIO_LENGTH, MAX_CITY_LENGTH, parseProfile, profileTexts } from './rules.ts'

const longPassword = 'uzun bir şifre'

describe('parseProfile', () => {
  it.each([18, 99, '18', '99', ' 42 '])('[PROF-03] accepts the age %j', (age) => {
    expect(parseProfile({ age })).toEqual({ age: Number(age) })
  })

  it.each([17, 100, 0, -18, 18.5, Number.NaN, 1e9, '17', '100', '018', '18.0', '1e1', '٢٢', 'on sekiz', '+20', '0x20'])(
    '[PROF-03] refuses the age %j',
    (age) => {
      expect(parseProfile({ age })).toEqual({ path: 'age', message: AGE_INVALID })
    },
  )

  it('[PROF-04] refuses a new password that differs from its confirmation', () => {
    const differ = { path: 'newPasswordConfirmation', message: 'Şifreleriniz eşleşmiyor!' }
    const passwords = { currentPassword: 'eski', newPassword: longPassword, newPasswordConfirmation: longPassword }
    expect(parseProfile(passwords)).toEqual({ password: { current: 'eski', next: longPassword } })
    expect(parseProfile({ ...passwords, newPasswordConfirmation: `${longPassword} ` })).toEqual(differ)
    expect(parseProfile({ ...passwords, newPasswordConfirmation: undefined })).toEqual(differ)
    expect(parseProfile({ newPasswordConfirmation: longPassword })).toEqual(differ)
  })

  it('[PROF-04] ignores a new password without the current one, and refuses a wrong length', () => {
    expect(parseProfile({ newPassword: longPassword, newPasswordConfirmation: longPassword })).toEqual({})
    expect(parseProfile({ currentPassword: longPassword })).toEqual({})
    for (const next of ['kısa', 'x'.repeat(129)]) {
      const parsed = parseProfile({ currentPassword: 'eski', newPassword: next, newPasswordConfirmation: next })
      expect(parsed).toMatchObject({ path: 'newPassword', message: expect.stringContaining('karakter') })
    }
  })

  it('[PROF-05] changes nothing for blank or invisible text', () => {
    for (const blank of [undefined, '', ' \n\t ', '\u200B\u2800\uFEFF', '\u202E', '\u0000']) {
      expect(parseProfile({ bio: blank, city: blank, age: '', currentPassword: '', newPassword: '' })).toEqual({})
    }
  })

  it('[PROF-06] checks lengths after normalisation', () => {
    const full = { bio: 'b'.repeat(MAX_BIO_LENGTH), city: 'c'.repeat(MAX_CITY_LENGTH) }
    expect(parseProfile({ bio: `  ${full.bio}\u202E\n\n`, city: `\t${full.city} ` })).toEqual(full)
    expect(parseProfile({ bio: `${full.bio}!` })).toEqual({ path: 'bio', message: profileTexts.bioTooLong })
    expect(parseProfile({ city: `${full.city}!` })).toEqual({ path: 'city', message: profileTexts.cityTooLong })
  })

  it('[PROF-06] keeps at most one blank line in a row in a bio, and makes a city one line', () => {
    expect(parseProfile({ bio: 'bir\r\niki\n \n\n\t\n\nüç' })).toEqual({ bio: 'bir\niki\n\nüç' })
    expect(parseProfile({ city: 'İzmir\r\n\r\nKarşıyaka' })).toEqual({ city: 'İzmir Karşıyaka' })
  })

  it('[PROF-06] removes control and direction characters, and normalises its own result to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const parsed = parseProfile({ bio: text, city: text })
        if (isProfileFieldError(parsed)) return
        expect(`${parsed.bio}${parsed.city}`).not.toMatch(/(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u)
        expect(parsed.city ?? '').not.toMatch(/[\n\t]/)
        expect(parseProfile({ bio: parsed.bio, city: parsed.city })).toEqual(parsed)
      }),
    )
  })
})
