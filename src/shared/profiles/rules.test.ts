import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AGE_INVALID } from '../accounts/rules.ts'
import { isProfileFieldError, MAX_BIO_LENGTH, MAX_CITY_LENGTH, parseProfile, profileTexts } from './rules.ts'

const long = 'uzun bir şifre'

describe('what somebody fills in', () => {
  it.each([18, 99, '18', '99', ' 42 '])('[PROF-03] has %j as an age', (age) => {
    expect(parseProfile({ age })).toEqual({ age: Number(age) })
  })

  it.each([17, 100, 0, -18, 18.5, Number.NaN, 1e9, '17', '100', '018', '18.0', '1e1', '٢٢', 'on sekiz', '+20', '0x20'])(
    '[PROF-03] has not %j as an age',
    (age) => {
      expect(parseProfile({ age })).toEqual({ path: 'age', message: AGE_INVALID })
    },
  )

  it('[PROF-04] has the same new password twice', () => {
    const differ = { path: 'newPasswordConfirmation', message: 'Şifreleriniz eşleşmiyor!' }
    const passwords = { currentPassword: 'eski', newPassword: long, newPasswordConfirmation: long }
    expect(parseProfile(passwords)).toEqual({ password: { current: 'eski', next: long } })
    expect(parseProfile({ ...passwords, newPasswordConfirmation: `${long} ` })).toEqual(differ)
    expect(parseProfile({ ...passwords, newPasswordConfirmation: undefined })).toEqual(differ)
    expect(parseProfile({ newPasswordConfirmation: long })).toEqual(differ)
  })

  it('[PROF-04] has no new password without the current one, and none of another length', () => {
    expect(parseProfile({ newPassword: long, newPasswordConfirmation: long })).toEqual({})
    expect(parseProfile({ currentPassword: long })).toEqual({})
    for (const next of ['kısa', 'x'.repeat(129)]) {
      const read = parseProfile({ currentPassword: 'eski', newPassword: next, newPasswordConfirmation: next })
      expect(read).toMatchObject({ path: 'newPassword', message: expect.stringContaining('karakter') })
    }
  })

  it('[PROF-05] changes nothing where it is blank, or where there is nothing to see', () => {
    for (const blank of [undefined, '', ' \n\t ', '\u200B\u2800\uFEFF', '\u202E', '\u0000']) {
      expect(parseProfile({ bio: blank, city: blank, age: '', currentPassword: '', newPassword: '' })).toEqual({})
    }
  })

  it('[PROF-06] is bounded after it was folded', () => {
    const full = { bio: 'b'.repeat(MAX_BIO_LENGTH), city: 'c'.repeat(MAX_CITY_LENGTH) }
    expect(parseProfile({ bio: `  ${full.bio}\u202E\n\n`, city: `\t${full.city} ` })).toEqual(full)
    expect(parseProfile({ bio: `${full.bio}!` })).toEqual({ path: 'bio', message: profileTexts.bioTooLong })
    expect(parseProfile({ city: `${full.city}!` })).toEqual({ path: 'city', message: profileTexts.cityTooLong })
  })

  it('[PROF-06] has lines, but no page of blank ones; a city is one line', () => {
    expect(parseProfile({ bio: 'bir\r\niki\n \n\n\t\n\nüç' })).toEqual({ bio: 'bir\niki\n\nüç' })
    expect(parseProfile({ city: 'İzmir\r\n\r\nKarşıyaka' })).toEqual({ city: 'İzmir Karşıyaka' })
  })

  it('[PROF-06] keeps no control character and nothing that turns the writing around, and folds to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const read = parseProfile({ bio: text, city: text })
        if (isProfileFieldError(read)) return
        expect(`${read.bio}${read.city}`).not.toMatch(/(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u)
        expect(read.city ?? '').not.toMatch(/[\n\t]/)
        expect(parseProfile({ bio: read.bio, city: read.city })).toEqual(read)
      }),
    )
  })
})
