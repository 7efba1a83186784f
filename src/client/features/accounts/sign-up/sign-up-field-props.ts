/** Texts of the sign-up fields, on the landing page and in the dialog of a room. */
export const signUpNameProps = {
  id: 'sign-up-name',
  label: 'Kullanıcı adın',
  hint: '3–20 harf, rakam, nokta ya da tire.',
  autoComplete: 'username',
} as const

export const signUpPasswordProps = {
  id: 'sign-up-password',
  label: 'Şifren',
  hint: 'En az 8 karakter; uzun bir cümle de olur.',
  autoComplete: 'new-password',
} as const
