import { describe, expect, it } from 'vitest'
import { originOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { until } from '../../scripts/regions/until.ts'
import type { OwnSession } from '../../src/shared/accounts/sessions-protocol.ts'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { missing, openSite } from './open.ts'
import { enterAsGuest, knows, makeRootAdmin, newName, Person, pageIn, rootAdminsIn, signIn } from './people.ts'

/** Asks a route of a region, by POST where there is a body. */
async function ask({ plan }: Region, path: string, token: string | undefined, body?: object) {
  const origin = originOf(plan)
  const answer = await fetch(`${origin}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { origin, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as { success?: boolean; code?: string; sessions?: OwnSession[]; ended?: number } // as every answer
}

describe.skipIf(missing('litefs'))('sessions of one person in several regions', () => {
  it('[ACC-50] [ACC-54] [ACC-55] [REG-27] are listed with where they were opened, and end everywhere at once', async () => {
    const cluster = await openSite()
    const { region, regions } = cluster
    const username = newName('Gezgin')
    const password = await makeRootAdmin(region('ist'), username)
    for (const one of regions) await until('it is known', () => knows(one, username))
    const own = await signIn(region('ist'), username, password)
    const others = [await signIn(region('fra'), username, password), await signIn(region('sin'), username, password)]
    const bystander = await Person.comesTo(region('fra'), await enterAsGuest(region('fra'), newName('Bakan')))
    // Each of them is somewhere else than where it was opened.
    const lines = [
      await Person.comesTo(region('sin'), others[0] ?? own),
      await Person.comesTo(region('ist'), others[1] ?? own),
    ]

    const listed = async () => (await ask(region('ist'), '/users/sessions', own.token)).sessions ?? []
    expect((await listed()).map(({ region: where }) => where).sort()).toEqual(['fra', 'ist', 'sin'])
    expect((await listed())[0]).toMatchObject({ region: 'ist', isCurrent: true })
    await until('the line in the other region is known of', async () =>
      (await listed()).some(({ region: where, isConnected }) => where === 'fra' && isConnected === null),
    )
    expect((await listed()).find(({ region: where }) => where === 'sin')).toMatchObject({ isConnected: true })

    expect(await ask(region('fra'), '/users/sessions/end-others', own.token, {})).toEqual({ success: true, ended: 2 })
    for (const { line } of lines) {
      expect(await line.closed).toBe(CloseCode.notSignedIn)
      expect(line.heard('forceDisconnect')).toEqual([{ message: 'Bu oturum başka bir cihazınızdan kapatıldı.' }])
    }
    for (const one of regions) {
      for (const other of others) {
        await until(
          'it is refused',
          async () => (await ask(one, '/users/account', other.token)).code === 'SessionEnded',
        )
        expect((await ask(one, '/users/refresh-token', other.token, {})).code).toBe('SessionEnded')
        expect((await pageIn(one, other)).text).not.toContain(username)
      }
      expect((await ask(one, '/users/account', own.token)).success).toBe(true)
    }
    expect(bystander.line.heard('forceDisconnect')).toEqual([])
  })
})

describe.skipIf(missing('litefs'))('a role', () => {
  it('[ACC-58] [ACC-61] [ACC-62] that is changed in one region is another one in all of them', async () => {
    const cluster = await openSite({ env: { MEYDAN_CONFIRM: '1' } })
    const { region, regions } = cluster
    const { ist, sin } = await rootAdminsIn(cluster, 'ist', 'sin')
    for (const one of regions) await until('both are known', () => knows(one, sin.username))
    const changed = await Person.comesTo(region('fra'), sin)
    const bystander = await Person.comesTo(region('sin'), await enterAsGuest(region('sin'), newName('Gören')))
    const witness = await Person.comesTo(region('fra'), ist)
    const change = (to: 'promote' | 'demote') =>
      ask(region('sin'), `/root-admin/${to}-user-to-rootadmin`, ist.adminToken, { username: sin.username })
    const told = (role: string) =>
      Promise.all(
        [changed, bystander].map(({ line }) =>
          until(`${role} is heard`, () => line.heard('userRoleUpdated').some((said) => said.role === role)),
        ),
      )

    expect((await ask(region('fra'), '/users/banned-users', sin.adminToken)).success).toBe(true)
    expect(await change('demote')).toEqual({ success: true })
    await told('member')
    for (const one of regions) {
      const refused = async () => (await ask(one, '/users/banned-users', sin.adminToken)).code === 'Forbidden'
      await until(`${one.plan.name} refuses the admin token`, refused)
    }
    const before = changed.line.heard('activeUsers').length
    const newcomer = await Person.comesTo(region('ist'), await enterAsGuest(region('ist'), newName('Yeni')))
    const ofNewcomer = ({ line }: Person) =>
      line.heard('userJoined').filter(({ user }) => user.username === newcomer.session.username)
    await until('root admins of that region hear of the newcomer', () => ofNewcomer(witness).length > 0)
    expect(ofNewcomer(changed)).toEqual([])

    expect(await change('promote')).toEqual({ success: true })
    await told('rootadmin')
    await until('they hear who is on the site', () => changed.line.heard('activeUsers').length > before)
    await until(
      'the token counts again',
      async () => (await ask(region('fra'), '/users/banned-users', sin.adminToken)).success === true,
    )
    expect(bystander.line.heard('activeUsers')).toEqual([])
  })
})
