import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { PersonRow } from './people-rows.tsx'

const textOf = (isGhost: boolean) => {
  const person = { ...createPerson(1, 'ada'), ...(isGhost && { isGhost: true as const }) }
  const row = <PersonRow person={person} isViewer={false} index={0} count={1} isActive={false} isDetached={false} />
  return renderToStaticMarkup(row)
}

it("[GHOSTP-04] a row of the site's list marks a ghost-banned user, and no other", () => {
  expect(textOf(true)).toContain('>Hayalet<')
  expect(textOf(false)).not.toContain('Hayalet')
})
