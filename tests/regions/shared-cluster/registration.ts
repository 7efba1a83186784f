// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import type { SignedIn } from '../../../src/shared/accounts/protocol.ts'
import { expectAnswer } from '../../drivers/live-connection.ts'
import { fetchPage, isRegisteredIn, RegionClient, signInGuestIn, signInMemberIn, uniqueName } from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

const PASSWORD = 'dört kuş uçtu'

/** Registers a member in a region: the guest of the token, or a new user. */
async function registerIn({ plan }: RegionProcess, username: string, token?: string) {
  const origin = originOf(plan)
  const body = JSON.stringify({ username, password: PASSWORD, age: 33, termsAccepted: true })
  const headers = { origin, 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(`${origin}/api/users/register`, { method: 'POST', headers, body })
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return { ...((await answer.json()) as Partial<SignedIn> & { code?: string }), cookie } // the fields of every answer
}

/** Fetches the account of the token from a region. */
async function fetchAccount({ plan }: RegionProcess, token: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${originOf(plan)}/api/users/account`, { headers })
  return ((await answer.json()) as { user: Record<string, unknown> }).user // the contract of the route
}

describe.skipIf(findMissingTool('litefs'))('registration across regions', () => {
  const openedCluster = shareFileCluster()

  it('[ACC-32] [ACC-33] [PRES-22] [SET-04] makes a guest a member in all regions under one id, and gives a name to one user only', async () => {
    const { region, regions } = openedCluster()
    const [before, after] = [uniqueName('Gonca'), uniqueName('Gül')]
    const guest = await RegionClient.connect(region('fra'), await signInGuestIn(region('fra'), before))
    const bystander = await RegionClient.connect(region('sin'), await signInGuestIn(region('sin'), uniqueName('Gören')))
    const { id } = await fetchAccount(region('fra'), guest.session.token)

    const signedUp = await registerIn(region('fra'), after, guest.session.token)
    expect(signedUp.user).toMatchObject({ id, username: after, isGuest: false, role: 'member' })
    // The connection of before the registration stays open, and goes on with the new token.
    const { token: memberToken = '', cookie } = signedUp
    for (const each of regions)
      await pollUntil(
        'the token from before is refused',
        async () => (await fetchAccount(each, guest.session.token)) === undefined,
      )
    Object.assign(guest.session, { token: memberToken, cookie })
    expectAnswer(await guest.connection.request('userConnected', { token: memberToken }))
    // Every region signs the new member in, even before the member is replicated there.
    const elsewhere = await Promise.all(regions.map((each) => signInMemberIn(each, after, PASSWORD)))
    for (const { username } of elsewhere) expect(username).toBe(after)
    for (const { connection } of [guest, bystander]) {
      await pollUntil('the new profile is received', () => connection.receivedEvents('userProfileUpdated').length > 0)
      expect(connection.receivedEvents('userProfileUpdated').map(({ user }) => user)).toEqual([
        expect.objectContaining({ id, username: after, isGuest: false }),
      ])
      expect(connection.receivedEvents('forceDisconnect')).toEqual([])
    }
    // The connection of before the registration stays open.
    expectAnswer(await guest.connection.request('getRooms', {}))
    for (const each of regions) {
      await pollUntil('the page is a member’s', async () => (await fetchPage(each, guest.session)).text.includes(after))
      expect(await fetchAccount(each, guest.session.token)).toMatchObject({ id, username: after, isGuest: false })
    }

    const contestedName = uniqueName('Işıl')
    const attempts = await Promise.all([
      registerIn(region('fra'), contestedName),
      registerIn(region('sin'), contestedName.toUpperCase()),
    ])
    expect(attempts.map(({ success, code }) => code ?? success).sort()).toEqual(['UsernameTaken', true])
    for (const each of regions) await pollUntil('the name is taken', () => isRegisteredIn(each, contestedName))

    const { token } = expectAnswer(
      await bystander.connection.request('updatePrivacySettings', { messagePrivacy: 'nobody' }),
    )
    for (const each of regions) {
      await pollUntil(
        'the setting is replicated',
        async () => (await fetchAccount(each, token)).messagePrivacy === 'nobody',
      )
    }
  })
})
