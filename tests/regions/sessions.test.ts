import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import type { OwnSession } from '../../src/shared/accounts/sessions-protocol.ts'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import {
  createRootAdminIn,
  fetchPage,
  isRegisteredIn,
  RegionClient,
  signInGuestIn,
  signInMemberIn,
  signInRootAdmins,
  uniqueName,
} from './region-client.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

/** Asks a route of a region, by POST where there is a body. */
async function requestRoute({ plan }: RegionProcess, path: string, token: string | undefined, body?: object) {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as { success?: boolean; code?: string; sessions?: OwnSession[]; ended?: number } // as every answer
}

describe.skipIf(findMissingTool('litefs'))('sessions of one person in several regions', () => {
  it('[ACC-50] [ACC-54] [ACC-55] [REG-27] are listed with where they were opened, and end everywhere at once', async () => {
    const cluster = await openSiteCluster()
    const { region, regions } = cluster
    const username = uniqueName('Gezgin')
    const password = await createRootAdminIn(region('ist'), username)
    for (const one of regions) await pollUntil('it is known', () => isRegisteredIn(one, username))
    const own = await signInMemberIn(region('ist'), username, password)
    const others = [
      await signInMemberIn(region('fra'), username, password),
      await signInMemberIn(region('sin'), username, password),
    ]
    const bystander = await RegionClient.connect(region('fra'), await signInGuestIn(region('fra'), uniqueName('Bakan')))
    // Each of them is somewhere else than where it was opened.
    const lines = [
      await RegionClient.connect(region('sin'), others[0] ?? own),
      await RegionClient.connect(region('ist'), others[1] ?? own),
    ]

    const listed = async () => (await requestRoute(region('ist'), '/users/sessions', own.token)).sessions ?? []
    expect((await listed()).map(({ region: where }) => where).sort()).toEqual(['fra', 'ist', 'sin'])
    expect((await listed())[0]).toMatchObject({ region: 'ist', isCurrent: true })
    await pollUntil('the line in the other region is known of', async () =>
      (await listed()).some(({ region: where, isConnected }) => where === 'fra' && isConnected === null),
    )
    expect((await listed()).find(({ region: where }) => where === 'sin')).toMatchObject({ isConnected: true })

    expect(await requestRoute(region('fra'), '/users/sessions/end-others', own.token, {})).toEqual({
      success: true,
      ended: 2,
    })
    for (const { connection } of lines) {
      expect(await connection.closed).toBe(CloseCode.notSignedIn)
      expect(connection.receivedEvents('forceDisconnect')).toEqual([
        { message: 'Bu oturum başka bir cihazınızdan kapatıldı.' },
      ])
    }
    for (const one of regions) {
      for (const other of others) {
        await pollUntil(
          'it is refused',
          async () => (await requestRoute(one, '/users/account', other.token)).code === 'SessionEnded',
        )
        expect((await requestRoute(one, '/users/refresh-token', other.token, {})).code).toBe('SessionEnded')
        expect((await fetchPage(one, other)).text).not.toContain(username)
      }
      expect((await requestRoute(one, '/users/account', own.token)).success).toBe(true)
    }
    expect(bystander.connection.receivedEvents('forceDisconnect')).toEqual([])
  })
})

describe.skipIf(findMissingTool('litefs'))('a role', () => {
  it('[ACC-58] [ACC-61] [ACC-62] that is changed in one region is another one in all of them', async () => {
    const cluster = await openSiteCluster({ env: { MEYDAN_AWAIT_REPLICA_ACK: '1' } })
    const { region, regions } = cluster
    const { ist, sin } = await signInRootAdmins(cluster, 'ist', 'sin')
    for (const one of regions) await pollUntil('both are known', () => isRegisteredIn(one, sin.username))
    const changed = await RegionClient.connect(region('fra'), sin)
    const bystander = await RegionClient.connect(region('sin'), await signInGuestIn(region('sin'), uniqueName('Gören')))
    const witness = await RegionClient.connect(region('fra'), ist)
    const change = (to: 'promote' | 'demote') =>
      requestRoute(region('sin'), `/root-admin/${to}-user-to-rootadmin`, ist.adminToken, { username: sin.username })
    const told = (role: string) =>
      Promise.all(
        [changed, bystander].map(({ connection }) =>
          pollUntil(`${role} is heard`, () =>
            connection.receivedEvents('userRoleUpdated').some((said) => said.role === role),
          ),
        ),
      )

    expect((await requestRoute(region('fra'), '/users/banned-users', sin.adminToken)).success).toBe(true)
    expect(await change('demote')).toEqual({ success: true })
    await told('member')
    for (const one of regions) {
      const refused = async () => (await requestRoute(one, '/users/banned-users', sin.adminToken)).code === 'Forbidden'
      await pollUntil(`${one.plan.name} refuses the admin token`, refused)
    }
    const before = changed.connection.receivedEvents('activeUsers').length
    const newcomer = await RegionClient.connect(region('ist'), await signInGuestIn(region('ist'), uniqueName('Yeni')))
    const ofNewcomer = ({ connection }: RegionClient) =>
      connection.receivedEvents('userJoined').filter(({ user }) => user.username === newcomer.session.username)
    await pollUntil('root admins of that region hear of the newcomer', () => ofNewcomer(witness).length > 0)
    expect(ofNewcomer(changed)).toEqual([])

    expect(await change('promote')).toEqual({ success: true })
    await told('rootadmin')
    await pollUntil(
      'they hear who is on the site',
      () => changed.connection.receivedEvents('activeUsers').length > before,
    )
    await pollUntil(
      'the token counts again',
      async () => (await requestRoute(region('fra'), '/users/banned-users', sin.adminToken)).success === true,
    )
    expect(bystander.connection.receivedEvents('activeUsers')).toEqual([])
  })
})
