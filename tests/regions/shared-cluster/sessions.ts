// @module-tag deep
import { describe, expect, it } from 'vitest'
import { pollUntil } from '../../../scripts/regions/poll-until.ts'
import { originOf } from '../../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../../scripts/regions/region-process.ts'
import type { OwnSession } from '../../../src/shared/accounts/sessions-protocol.ts'
import { CloseCode } from '../../../src/shared/protocol/frame.ts'
import {
  createRootAdminIn,
  fetchPage,
  isRegisteredIn,
  RegionClient,
  signInGuestIn,
  signInMemberIn,
  signInRootAdmins,
  uniqueName,
} from '../region-client.ts'
import { findMissingTool, shareFileCluster } from '../test-cluster.ts'

/** The fields of every answer. */
interface Answer {
  success?: boolean
  code?: string
  sessions?: OwnSession[]
  ended?: number
  token?: string
}

/** Requests a route of a region: POST with a body, else GET. */
async function requestRoute({ plan }: RegionProcess, path: string, token: string | undefined, body?: object) {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Answer
}

describe.skipIf(findMissingTool('litefs'))('sessions of one user in several regions', () => {
  const openedCluster = shareFileCluster()

  it('[ACC-50] [ACC-54] [ACC-55] [REG-27] lists sessions with the region that opened them and ends them in every region', async () => {
    const cluster = openedCluster()
    const { region, regions } = cluster
    const username = uniqueName('Gezgin')
    const password = await createRootAdminIn(region('ist'), username)
    for (const each of regions) await pollUntil('the user is known', () => isRegisteredIn(each, username))
    const own = await signInMemberIn(region('ist'), username, password)
    const others = [
      await signInMemberIn(region('fra'), username, password),
      await signInMemberIn(region('sin'), username, password),
    ]
    const bystander = await RegionClient.connect(region('fra'), await signInGuestIn(region('fra'), uniqueName('Bakan')))
    // Each session connects to another region than the one that opened it.
    const clients = [
      await RegionClient.connect(region('sin'), others[0] ?? own),
      await RegionClient.connect(region('ist'), others[1] ?? own),
    ]

    const listSessions = async () => (await requestRoute(region('ist'), '/users/sessions', own.token)).sessions ?? []
    expect((await listSessions()).map(({ region: openedIn }) => openedIn).sort()).toEqual(['fra', 'ist', 'sin'])
    expect((await listSessions())[0]).toMatchObject({ region: 'ist', isCurrent: true })
    await pollUntil('the connection in the other region is not listed as offline', async () =>
      (await listSessions()).some(({ region: openedIn, isConnected }) => openedIn === 'fra' && isConnected === null),
    )
    expect((await listSessions()).find(({ region: openedIn }) => openedIn === 'sin')).toMatchObject({
      isConnected: true,
    })

    expect(await requestRoute(region('fra'), '/users/sessions/end-others', own.token, {})).toEqual({
      success: true,
      ended: 2,
    })
    for (const { connection } of clients) {
      expect(await connection.closed).toBe(CloseCode.notSignedIn)
      expect(connection.receivedEvents('forceDisconnect')).toEqual([
        { message: 'Bu oturum başka bir cihazından kapatıldı.' },
      ])
    }
    for (const each of regions) {
      for (const other of others) {
        await pollUntil(
          'the session is refused',
          async () => (await requestRoute(each, '/users/account', other.token)).code === 'SessionEnded',
        )
        expect((await requestRoute(each, '/users/refresh-token', other.token, {})).code).toBe('SessionEnded')
        expect((await fetchPage(each, other)).text).toContain('Odaya gir')
      }
      expect((await requestRoute(each, '/users/account', own.token)).success).toBe(true)
    }
    expect(bystander.connection.receivedEvents('forceDisconnect')).toEqual([])
  })
})

describe.skipIf(findMissingTool('litefs'))('a role across regions', () => {
  const openedCluster = shareFileCluster()

  it('[ACC-58] [ACC-61] [ACC-62] changes a role in every region', async () => {
    const cluster = openedCluster()
    const { region, regions } = cluster
    const { ist, sin } = await signInRootAdmins(cluster, 'ist', 'sin')
    for (const each of regions) await pollUntil('both are known', () => isRegisteredIn(each, sin.username))
    const changed = await RegionClient.connect(region('fra'), sin)
    const bystander = await RegionClient.connect(region('sin'), await signInGuestIn(region('sin'), uniqueName('Gören')))
    const witness = await RegionClient.connect(region('fra'), ist)
    const change = (to: 'promote' | 'demote') =>
      requestRoute(region('sin'), `/root-admin/${to}-user-to-rootadmin`, ist.adminToken, { username: sin.username })
    let renewalCount = 0
    /** Goes on with the session that the change of role has brought. */
    const renewConnection = async ({ session, connection }: RegionClient) => {
      const renewals = ++renewalCount
      await pollUntil('the session is replaced', () => connection.receivedEvents('sessionReplaced').length === renewals)
      session.token = (await requestRoute(region('fra'), '/users/refresh-token', session.token, {})).token ?? ''
      expect(await connection.request('userConnected', { token: session.token })).toEqual({ success: true })
    }
    const waitForRole = (role: string) =>
      Promise.all(
        [changed, bystander].map(({ connection }) =>
          pollUntil(`the role ${role} is received`, () =>
            connection.receivedEvents('userRoleUpdated').some((event) => event.role === role),
          ),
        ),
      )

    expect((await requestRoute(region('fra'), '/users/banned-users', sin.adminToken)).success).toBe(true)
    expect(await change('demote')).toEqual({ success: true })
    await renewConnection(changed)
    await waitForRole('member')
    for (const each of regions) {
      const isRefused = async () =>
        (await requestRoute(each, '/users/banned-users', sin.adminToken)).code === 'SessionEnded'
      await pollUntil(`${each.plan.name} refuses the admin token`, isRefused)
    }
    const countBefore = changed.connection.receivedEvents('activeUsers').length
    const newcomer = await RegionClient.connect(region('ist'), await signInGuestIn(region('ist'), uniqueName('Yeni')))
    const joinEventsOf = ({ connection }: RegionClient) =>
      connection.receivedEvents('userJoined').filter(({ user }) => user.username === newcomer.session.username)
    await pollUntil('a root admin of that region receives the newcomer', () => joinEventsOf(witness).length > 0)
    expect(joinEventsOf(changed)).toEqual([])

    expect(await change('promote')).toEqual({ success: true })
    await renewConnection(changed)
    await waitForRole('rootadmin')
    await pollUntil(
      'the new root admin receives the active users',
      () => changed.connection.receivedEvents('activeUsers').length > countBefore,
    )
    expect(bystander.connection.receivedEvents('activeUsers')).toEqual([])
  })
})
