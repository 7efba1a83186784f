import { expect, it } from 'vitest'
import { routes } from '../../../shared/protocol/catalogue.ts'
import { openTestApi } from '../../testing/fixtures/test-api.ts'
import { openApiRoute } from './openapi.ts'

interface Operation {
  operationId: string
  security: object[]
  parameters?: { name: string; in: string; required: boolean }[]
  requestBody?: {
    required: boolean
    content: { 'application/json': { schema: { properties: object; required: string[] } } }
  }
}

it('[HTTP-02] [HTTP-28] the OpenAPI description has every route, from the schemas that validate requests', async () => {
  const api = await openTestApi({}, (app) => openApiRoute(app))
  const { status, headers, body } = await api.get('/api/openapi.json')
  await api.close()
  expect(status).toBe(200)
  expect(headers.get('content-type')).toContain('application/json')
  expect(body.openapi).toBe('3.1.0')

  const paths = body.paths as Record<string, Record<string, Operation>>
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(routes).sort())

  const login = paths['/users/login']?.post
  expect(login?.security).toEqual([])
  expect(login?.requestBody?.content['application/json'].schema.required).toEqual(['username', 'password'])
  expect(login?.requestBody?.required).toBe(true)
  expect(paths['/users/logout']?.post?.requestBody?.required).toBe(false)
  const profile = paths['/users/username/{name}']?.get
  expect(profile?.security).toEqual([{ userToken: [] }])
  expect(profile?.parameters).toMatchObject([{ name: 'name', in: 'path', required: true }])

  const schemas = (body.components as { schemas: object }).schemas
  for (const [, name] of JSON.stringify(body).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(schemas).toHaveProperty(name ?? '')
  }
})
