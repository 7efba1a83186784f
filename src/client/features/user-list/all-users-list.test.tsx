import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { AllUsersButton } from './all-users-button.tsx'
import { AllUsersList } from './all-users-list.tsx'

const NOTE = 'Sistemdeki tüm kullanıcıları sadece yetkililer görebilir.'
const member = createPerson(1, 'ada')
const rootAdmin = { ...member, role: 'rootadmin' as const }

it('[PRES-10] the panel of all users tells anybody but root admins why it is empty', () => {
  expect(renderToStaticMarkup(<AllUsersList viewer={member} />)).toContain(NOTE)
})

it('[PRES-23] the header has the button of all users for root admins alone', () => {
  expect(renderToStaticMarkup(<AllUsersButton viewer={member} />)).toBe('')
  expect(renderToStaticMarkup(<AllUsersButton viewer={rootAdmin} />)).toContain('Tüm kullanıcılar')
})
