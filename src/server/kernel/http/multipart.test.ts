import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readMultipart } from './multipart.ts'

const KIB = 1024

/** Reads a form with these files and one field, as a browser encodes it. */
async function read(files: Record<string, Uint8Array>, word = 'söz') {
  const form = new FormData()
  for (const [name, bytes] of Object.entries(files)) form.set(name, new Blob([new Uint8Array(bytes)]), 'ad')
  form.set('word', word)
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const bytes = Buffer.from(await encoded.arrayBuffer())
  return { bytes, body: await readMultipart(bytes, type, ['one', 'two']) }
}

describe('a multipart body', () => {
  it('[FILE-20] gives each file its own bytes, short or long, whatever they end with', async () => {
    const ends = Buffer.from('\r\n--\r\n')
    for (const size of [1, 64 * KIB - 6, 64 * KIB - 5, 64 * KIB, 300 * KIB]) {
      const [one, two] = [Buffer.concat([randomBytes(size), ends]), randomBytes(200 * KIB)]
      const { body } = await read({ one, two })
      if (!('files' in body)) throw new Error('refused')
      expect(body.fields).toEqual({ word: 'söz' })
      expect(one.equals(body.files.get('one') ?? Buffer.alloc(0))).toBe(true)
      expect(two.equals(body.files.get('two') ?? Buffer.alloc(0))).toBe(true)
    }
  })

  it('[FILE-20] is read without a copy of a long file, so that the event loop is not blocked', async () => {
    const { bytes, body } = await read({ one: randomBytes(65 * KIB) })
    expect('files' in body && body.files.get('one')?.buffer).toBe(bytes.buffer)
  })

  it('[FILE-20] is refused with a long text', async () => {
    const { body } = await read({}, 'x'.repeat(65 * KIB))
    expect(body).toMatchObject({ body: { code: 'InvalidInput', path: 'word' } })
  })
})
