import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import type { SignedIn } from '../../src/shared/accounts/protocol.ts'
import { expectAnswer } from '../drivers/live-connection.ts'
import { fetchPage, isRegisteredIn, RegionClient, signInGuestIn, signInMemberIn, uniqueName } from './region-client.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

const PASSWORD = 'dört kuş uçtu'

/** Becomes a member in a region: the guest whose token it is, or somebody new. */
async function registerIn({ plan }: RegionProcess, username: string, token?: string) {
  const origin = originOf(plan)
  const body = JSON.stringify({ username, password: PASSWORD, age: 33, termsAccepted: true })
  const headers = { origin, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${origin}/api/users/register`, { method: 'POST', headers, body })
  return (await answer.json()) as Partial<SignedIn> & { code?: string } // as every answer
}

/** What a region says of the own account. */
async function fetchAccount({ plan }: RegionProcess, token: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${originOf(plan)}/api/users/account`, { headers })
  return ((await answer.json()) as { user: Record<string, unknown> }).user // the contract of the route
}

describe.skipIf(findMissingTool('litefs'))('people of several regions', () => {
  it('[ACC-32] [ACC-33] [PRES-22] [SET-04] become members in one, stay who they are in all, and have the name alone', async () => {
    const { region, regions } = await openSiteCluster()
    const [before, after] = [uniqueName('Gonca'), uniqueName('Gül')]
    const guest = await RegionClient.connect(region('fra'), await signInGuestIn(region('fra'), before))
    const bystander = await RegionClient.connect(region('sin'), await signInGuestIn(region('sin'), uniqueName('Gören')))
    const { id } = await fetchAccount(region('fra'), guest.session.token)

    const signedUp = await registerIn(region('fra'), after, guest.session.token)
    expect(signedUp.user).toMatchObject({ id, username: after, isGuest: false, role: 'member' })
    // No region keeps the new member out, though it may not have heard of them yet.
    const elsewhere = await Promise.all(regions.map((one) => signInMemberIn(one, after, PASSWORD)))
    for (const { username } of elsewhere) expect(username).toBe(after)
    for (const { connection } of [guest, bystander]) {
      await pollUntil('it is told', () => connection.receivedEvents('userProfileUpdated').length > 0)
      expect(connection.receivedEvents('userProfileUpdated').map(({ user }) => user)).toEqual([
        expect.objectContaining({ id, username: after, isGuest: false }),
      ])
      expect(connection.receivedEvents('forceDisconnect')).toEqual([])
    }
    // The line of before goes on.
    expectAnswer(await guest.connection.request('getRooms', {}))
    for (const one of regions) {
      await pollUntil('the page is a member’s', async () => (await fetchPage(one, guest.session)).text.includes(after))
      expect(await fetchAccount(one, guest.session.token)).toMatchObject({ id, username: after, isGuest: false })
    }

    const wanted = uniqueName('Işıl')
    const tries = await Promise.all([
      registerIn(region('fra'), wanted),
      registerIn(region('sin'), wanted.toUpperCase()),
    ])
    expect(tries.map(({ success, code }) => code ?? success).sort()).toEqual(['UsernameTaken', true])
    for (const one of regions) await pollUntil('the name is taken', () => isRegisteredIn(one, wanted))

    const { token } = expectAnswer(
      await bystander.connection.request('updatePrivacySettings', { messagePrivacy: 'nobody' }),
    )
    for (const one of regions) {
      await pollUntil('it is so', async () => (await fetchAccount(one, token)).messagePrivacy === 'nobody')
    }
  })
})
