import { expect, it } from 'vitest'
import { methodNotAllowed } from './app.ts'
import { openTestApi } from './testing/fixtures/test-api.ts'

it('[HTTP-27] a known path refuses a method that it does not have, and names those that it has', async () => {
  const api = await openTestApi({}, (app) => methodNotAllowed(app))
  const send = async (method: string, path: string) => {
    const answer = await api.send(path, { method, headers: { origin: api.origin } })
    return { status: answer.status, allow: answer.headers.get('allow'), text: await answer.text() }
  }
  const refused = await send('DELETE', '/api/users/account')
  expect(refused).toMatchObject({ status: 405, allow: 'GET, HEAD' })
  const message = 'Bu adres bu tür bir isteği kabul etmiyor.'
  expect(JSON.parse(refused.text)).toEqual({ success: false, code: 'MethodNotAllowed', message })
  expect(await send('GET', '/api/users/login')).toMatchObject({ status: 405, allow: 'POST' })
  expect(await send('PATCH', '/api/users/isRegister/Kaptan')).toMatchObject({ status: 405, allow: 'GET, HEAD' })
  expect(await send('GET', '/api/users/isRegister/Kaptan')).toMatchObject({ status: 200, allow: null })
  expect(await send('HEAD', '/api/users/isRegister/Kaptan')).toMatchObject({ status: 200, text: '' })
  expect(await send('GET', '/api/nothing')).toMatchObject({ status: 404, allow: null })
  await api.close()
})
