import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPerson } from '../../../shared/accounts/testing/person-fixture.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { runEventHandler } from '../live/event-scope.ts'
import { session } from '../session/session.ts'
import { openOverlays, overlayRoot } from '../shell/overlays/overlays.ts'
import { callApi } from './call-api.ts'

interface Dialog {
  onEnd: (isConfirmed: boolean) => void
}

/** The password dialogs that were opened. */
let dialogs: Dialog[]
/** The authorization of each request. */
let requests: (string | undefined)[]
/** Whether the code of the overlays can be loaded. */
let isRootLoaded: boolean
const bans = { success: true, bannedUsers: [], next: null }

overlayRoot.set(async (show) => {
  if (!isRootLoaded) return
  show({
    showOverlay(_name, input) {
      dialogs.push(input as Dialog) // the only overlay of these tests
      openOverlays.value = [{ key: dialogs.length, input, component: () => null, access: 'rootAdmins' }]
    },
  })
})
beforeEach(() => {
  dialogs = []
  requests = []
  isRootLoaded = true
  vi.stubGlobal('document', { documentElement: { toggleAttribute() {}, dataset: {} } })
  vi.stubGlobal('fetch', async (_path: string, { headers }: { headers: Record<string, string> }) => {
    requests.push(headers.Authorization)
    const isFresh = headers.Authorization === 'Bearer fresh'
    return Response.json(isFresh ? bans : { code: 'PasswordRequired', message: 'x' }, { status: isFresh ? 200 : 401 })
  })
  session.user = createPerson(1, 'ada', { role: 'rootadmin' })
  session.setAdminToken(null)
})
afterEach(() => {
  vi.unstubAllGlobals()
  session.user = null
  session.setAdminToken(null)
  openOverlays.value = []
})

const fetchBans = () => callApi<'bannedUsers'>('/users/banned-users', { as: 'admin' })
const confirm = async (count = 1) => {
  await vi.waitFor(() => expect(dialogs).toHaveLength(count))
  session.setAdminToken('fresh')
  dialogs.at(-1)?.onEnd(true)
}
const PASSWORD_REQUIRED = { body: { code: 'PasswordRequired' } }

it('[ACC-102] calls at the same time without a token open one dialog, and are all sent after it', async () => {
  const calls = [fetchBans(), fetchBans(), fetchBans()]
  await confirm()
  expect(await Promise.all(calls)).toEqual([bans, bans, bans])
  expect([dialogs.length, requests]).toEqual([1, Array(3).fill('Bearer fresh')])
})

it('[ACC-102] [ACC-104] a refused token is removed, and the call is repeated with the new one', async () => {
  session.setAdminToken('expired')
  const call = fetchBans()
  await vi.waitFor(() => expect(dialogs).toHaveLength(1))
  expect(session.adminToken()).toBeNull()
  await confirm()
  expect(await call).toEqual(bans)
  expect(requests).toEqual(['Bearer expired', 'Bearer fresh'])
})

it('[ACC-102] a closed dialog leaves the call undone, and the next one asks again', async () => {
  const call = fetchBans()
  await vi.waitFor(() => expect(dialogs).toHaveLength(1))
  dialogs[0]?.onEnd(false)
  expect(await call).toMatchObject(PASSWORD_REQUIRED)
  expect(requests).toEqual([])
  const next = fetchBans()
  await confirm(2)
  expect(await next).toEqual(bans)
})

it('[ACC-103] a call of an event handler or of the start of a page fails without a dialog', async () => {
  session.setAdminToken('expired')
  const calls: Promise<unknown>[] = []
  runEventHandler(() => calls.push(fetchBans()))
  calls.push(callApi<'bannedUsers'>('/users/banned-users', { as: 'admin', isBackground: true }))
  const results = await Promise.all(calls)
  for (const result of results) {
    expect(result).toBeInstanceOf(Refusal)
    expect(result).toMatchObject(PASSWORD_REQUIRED)
  }
  expect(dialogs).toEqual([])
  // Another one is not even sent.
  const before = requests.length
  await callApi<'bannedUsers'>('/users/banned-users', { as: 'admin', isBackground: true })
  expect(requests).toHaveLength(before)
})

it('[ACC-102] a dialog that could not be loaded leaves the call undone', async () => {
  isRootLoaded = false
  expect(await fetchBans()).toMatchObject(PASSWORD_REQUIRED)
})
