import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { LargePart } from './large-part.ts'

const BOUNDARY = '----b'
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
const END = Buffer.from(`--${BOUNDARY}--\r\n`)

/** The body in slices, as a network brings it. */
async function* slices(body: Buffer, bytes: number) {
  for (let from = 0; from < body.length; from += bytes) yield body.subarray(from, from + bytes)
}

async function split(body: Buffer, sliceBytes: number) {
  const kept: Uint8Array[] = []
  const large = new LargePart(BOUNDARY, 'file', (bytes) => kept.push(Buffer.from(bytes)))
  const content: Uint8Array[] = []
  for await (const bytes of large.contentOf(slices(body, sliceBytes))) content.push(Buffer.from(bytes))
  return { rest: Buffer.concat(kept).toString('latin1'), content: Buffer.concat(content), token: large.token }
}

it.each([1, 2, 7, 64, 1_000, 100_000])(
  '[MEDIA-56] a file is taken out of a form that comes in slices of %i',
  async (bytes) => {
    // The content nearly has the delimiter in it.
    const file = Buffer.concat([
      randomBytes(3_000),
      Buffer.from(`\r\n--${BOUNDARY.slice(0, -1)}\r\n--`),
      randomBytes(500),
    ])
    const before = part('name="type"', 'video')
    const after = part('name="poster"; filename="p.jpg"', randomBytes(2_000))
    const body = (content: string | Buffer) =>
      Buffer.concat([before, part('name="file"; filename="a.mp4"\r\nContent-Type: video/mp4', content), after, END])
    const { rest, content, token } = await split(body(file), bytes)
    expect(content.equals(file)).toBe(true)
    expect(rest).toBe(body(token).toString('latin1'))
  },
)

it('[MEDIA-56] a form without the file, or of another kind, passes as it is', async () => {
  for (const body of [
    Buffer.concat([part('name="type"', 'video'), END]),
    Buffer.concat([part('name="file"', 'a text field'), END]),
    Buffer.concat([part('name="poster"; filename="p.jpg"', randomBytes(3_000)), END]),
    Buffer.from('no form at all'),
    Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n`), Buffer.alloc(5_000, 'x')]),
    Buffer.alloc(0),
    Buffer.concat([...Array(40).fill(part('name="type"', 'video')), part('name="file"; filename="a"', 'late'), END]),
  ]) {
    const { rest, content } = await split(body, 100)
    expect(rest).toBe(body.toString('latin1'))
    expect(content.length).toBe(0)
  }
})
