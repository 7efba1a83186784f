import * as v from 'valibot'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { UploadId } from '../../../shared/media/resumable-uploads.ts'
import { MAX_FILE_BYTES } from '../../../shared/media/rules.ts'
import { route } from '../../../shared/protocol/define.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { openTestApi, type TestApi } from '../../testing/fixtures/test-api.ts'
import { withRequestFile } from './request-file.ts'

const spec = route({
  description: '',
  method: 'POST',
  path: '/test/upload',
  access: 'signedIn',
  limiter: null,
  identityFields: [],
  retry: 'none',
  fileFields: ['file'],
  input: v.object({ uploadId: v.optional(UploadId) }),
  answer: v.object({ sizeBytes: v.number() }),
})

let api: TestApi
let running = 0
const gate = Promise.withResolvers<void>()

beforeAll(async () => {
  api = await openTestApi({ MEYDAN_TRUSTED_PROXIES: '127.0.0.1' }, (app, mount, { appContext }) =>
    mount(app, appContext, spec, (call) =>
      withRequestFile(appContext, call, { field: 'file', maxBytes: MAX_FILE_BYTES }, async ({ sizeBytes }) => {
        running++
        await gate.promise
        return { sizeBytes }
      }),
    ),
  )
})
afterAll(() => api.close())

/** Sends the finished upload of a new member from an address. Resolves with the status of the answer. */
async function sendUpload(name: string, address: string): Promise<number> {
  const { userId, sessionId, token } = await api.region.createMember(name)
  const { uploads } = api.region.appContext
  const upload = await uploads.create({ userId, sessionId, address }, 3)
  if (upload instanceof Refusal) throw new Error(upload.body.code)
  const chunks = (async function* () {
    yield Buffer.from('abc')
  })()
  await uploads.append(upload, { offset: 0, chunks, cut: () => {} })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-forwarded-for': address,
  }
  const body = JSON.stringify({ uploadId: upload.id })
  return (await api.send('/api/test/upload', { method: 'POST', headers, body })).status
}

it('[MEDIA-80] two finished uploads of an address are read at a time and two wait, and others go on', async () => {
  const statuses: number[] = []
  const send = async (name: string, address: string) => {
    statuses.push(await sendUpload(name, address))
  }
  const ofOne = Array.from({ length: 6 }, (_, index) => send(`ada${index}`, '203.0.113.7'))
  await expect.poll(() => statuses).toEqual([503, 503])
  expect(running).toBe(2)
  const ofOther = send('can', '203.0.113.8')
  await expect.poll(() => running).toBe(3)
  gate.resolve()
  await Promise.all([...ofOne, ofOther])
  expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 503, 503])
})
