import { describe, expect, it } from 'vitest'
import { originOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'
import { granted } from '../live-line.ts'
import { missing, openSite } from './open.ts'
import { enterAsGuest, knows, newName, Person, pageIn, signIn } from './people.ts'

const PASSWORD = 'dört kuş uçtu'

/** Becomes a member in a region: the guest whose token it is, or somebody new. */
async function register({ plan }: Region, username: string, token?: string) {
  const origin = originOf(plan)
  const body = JSON.stringify({ username, password: PASSWORD, age: 33, termsAccepted: true })
  const headers = { origin, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${origin}/api/users/register`, { method: 'POST', headers, body })
  return (await answer.json()) as Partial<SignedIn> & { code?: string } // as every answer
}

/** What a region says of the own account. */
async function accountIn({ plan }: Region, token: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${originOf(plan)}/api/users/account`, { headers })
  return ((await answer.json()) as { user: Record<string, unknown> }).user // the contract of the route
}

describe.skipIf(missing('litefs'))('people of several regions', () => {
  it('[ACC-32] [ACC-33] [PRES-22] [SET-04] become members in one, stay who they are in all, and have the name alone', async () => {
    const { region, regions } = await openSite()
    const [before, after] = [newName('Gonca'), newName('Gül')]
    const guest = await Person.comesTo(region('fra'), await enterAsGuest(region('fra'), before))
    const bystander = await Person.comesTo(region('sin'), await enterAsGuest(region('sin'), newName('Gören')))
    const { id } = await accountIn(region('fra'), guest.session.token)

    const signedUp = await register(region('fra'), after, guest.session.token)
    expect(signedUp.user).toMatchObject({ id, username: after, isGuest: false, role: 'member' })
    // No region keeps the new member out, though it may not have heard of them yet.
    const elsewhere = await Promise.all(regions.map((one) => signIn(one, after, PASSWORD)))
    for (const { username } of elsewhere) expect(username).toBe(after)
    for (const { line } of [guest, bystander]) {
      await until('it is told', () => line.heard('userProfileUpdated').length > 0)
      expect(line.heard('userProfileUpdated').map(({ user }) => user)).toEqual([
        expect.objectContaining({ id, username: after, isGuest: false }),
      ])
      expect(line.heard('forceDisconnect')).toEqual([])
    }
    // The line of before goes on.
    granted(await guest.line.ask('getRooms', {}))
    for (const one of regions) {
      await until('the page is a member’s', async () => (await pageIn(one, guest.session)).text.includes(after))
      expect(await accountIn(one, guest.session.token)).toMatchObject({ id, username: after, isGuest: false })
    }

    const wanted = newName('Işıl')
    const tries = await Promise.all([register(region('fra'), wanted), register(region('sin'), wanted.toUpperCase())])
    expect(tries.map(({ success, code }) => code ?? success).sort()).toEqual(['UsernameTaken', true])
    for (const one of regions) await until('the name is taken', () => knows(one, wanted))

    const { token } = granted(await bystander.line.ask('updatePrivacySettings', { messagePrivacy: 'nobody' }))
    for (const one of regions) {
      await until('it is so', async () => (await accountIn(one, token)).messagePrivacy === 'nobody')
    }
  })
})
