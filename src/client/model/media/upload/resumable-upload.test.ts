import { beforeEach, describe, expect, it } from 'vitest'
import { Refusal, type RefusalBody, refuse } from '../../../../shared/protocol/refusals.ts'
import type { HttpAnswer, ProgressCall } from '../../../core/http/send-with-progress.ts'
import { type ResumableCall, UPLOAD_CHUNK_BYTES, uploadResumable } from './resumable-upload.ts'

const KIB = 1024
const CHUNK = UPLOAD_CHUNK_BYTES

/** A server whose connections the test cuts. */
class FakeServer {
  readonly uploads = new Map<string, { size: number; bytes: Uint8Array[] }>()
  /** Each request: method, and offset and bytes of a part. */
  readonly requests: string[] = []
  readonly discarded: string[] = []
  readonly waits: number[] = []
  /** Bytes after which the next part is cut; then the server has them. */
  cuts: number[] = []
  /** Answers before any other. */
  answers: (HttpAnswer | null)[] = []
  isOnline = true
  onWait: () => void = () => {}

  readonly platform = {
    send: async (path: string, call: ProgressCall) => this.answer(path, call),
    isOnline: () => this.isOnline,
    wait: async (ms: number) => {
      this.waits.push(ms)
      this.onWait()
    },
    discard: (uploadId: string) => void this.discarded.push(uploadId),
  }

  sizeOf(uploadId: string): number {
    return this.uploads.get(uploadId)?.bytes.reduce((sum, { length }) => sum + length, 0) ?? -1
  }

  bytesOf(uploadId: string): Buffer {
    return Buffer.concat(this.uploads.get(uploadId)?.bytes ?? [])
  }

  private async answer(path: string, { method, headers = {}, body, signal, onProgress }: ProgressCall) {
    if (signal.aborted) return null
    expect(headers['Tus-Resumable']).toBe('1.0.0')
    const [, uploadId = ''] = /^\/api\/uploads\/(.+)$/.exec(path) ?? []
    const part = method === 'PATCH' ? new Uint8Array(await (body as Blob).arrayBuffer()) : null
    this.requests.push(part ? `PATCH ${headers['Upload-Offset']}+${part.length}` : method)
    const [given] = this.answers.splice(0, 1)
    if (given !== undefined) return given
    if (method === 'POST') {
      const id = `upload${this.uploads.size + 1}`
      this.uploads.set(id, { size: Number(headers['Upload-Length']), bytes: [] })
      return answerOf(201, { Location: `/api/uploads/${id}` })
    }
    const upload = this.uploads.get(uploadId)
    if (!upload) return answerOf(404, {})
    const offset = this.sizeOf(uploadId)
    if (!part) return answerOf(200, { 'Upload-Offset': `${offset}`, 'Upload-Length': `${upload.size}` })
    if (Number(headers['Upload-Offset']) !== offset) return refused('UploadOffsetWrong', 409)
    const [cut] = this.cuts.splice(0, 1)
    upload.bytes.push(part.subarray(0, cut))
    onProgress?.(cut ?? part.length)
    return cut === undefined ? answerOf(204, { 'Upload-Offset': `${this.sizeOf(uploadId)}` }) : null
  }
}

function answerOf(status: number, headers: Record<string, string>, body: object = {}): HttpAnswer {
  return { status, text: JSON.stringify(body), header: (name) => headers[name] ?? null }
}
const refused = (code: RefusalBody['code'], status: number, more: Partial<RefusalBody> = {}) =>
  answerOf(status, {}, { success: false, ...refuse(code, more).body })

let server: FakeServer
let progress: number[]
let cancel: AbortController
beforeEach(() => {
  server = new FakeServer()
  progress = []
  cancel = new AbortController()
})

const fileOf = (bytes: number) => new Blob([Uint8Array.from({ length: bytes }, (_, index) => index % 251)])
const upload = (file: Blob, call: Partial<ResumableCall> = {}) =>
  uploadResumable(
    file,
    { signal: cancel.signal, onProgress: (bytes) => progress.push(bytes), ...call },
    server.platform,
  )

describe('an upload in parts', () => {
  it('[MEDIA-52] is sent in parts of 8 MiB, with progress, and its id is told at once', async () => {
    const ids: string[] = []
    const file = fileOf(2 * CHUNK + 5)
    expect(await upload(file, { onUploadId: (id) => ids.push(id) })).toEqual({ uploadId: 'upload1' })
    expect(server.requests).toEqual(['POST', `PATCH 0+${CHUNK}`, `PATCH ${CHUNK}+${CHUNK}`, `PATCH ${2 * CHUNK}+5`])
    expect(server.bytesOf('upload1').equals(Buffer.from(await file.arrayBuffer()))).toBe(true)
    expect(ids).toEqual(['upload1'])
    expect(progress.at(-1)).toBe(file.size)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  })

  it.each([0, 1, 2, 3, 4])('[MEDIA-52] that is cut at quarter %i goes on with what lacks', async (quarter) => {
    const file = fileOf(400 * KIB)
    server.cuts = [quarter * 100 * KIB]
    expect(await upload(file)).toEqual({ uploadId: 'upload1' })
    const rest = quarter === 4 ? [] : [`PATCH ${quarter * 100 * KIB}+${(4 - quarter) * 100 * KIB}`]
    expect(server.requests).toEqual(['POST', `PATCH 0+${400 * KIB}`, 'HEAD', ...rest])
    expect(server.bytesOf('upload1').equals(Buffer.from(await file.arrayBuffer()))).toBe(true)
  })

  it('[MEDIA-52] goes on after a reload', async () => {
    const file = fileOf(400 * KIB)
    server.cuts = [100 * KIB, 0, 0, 0]
    expect(await upload(file, { isPatient: false })).toBe('disconnected')
    server.requests.length = 0
    server.cuts = []
    expect(await upload(file, { uploadId: 'upload1' })).toEqual({ uploadId: 'upload1' })
    expect(server.requests).toEqual(['HEAD', `PATCH ${100 * KIB}+${300 * KIB}`])
    expect(progress).toContain(100 * KIB)
    expect(server.discarded).toEqual([])
  })

  it('[MEDIA-52] waits for the network as long as it takes, and gives up when cuts bring nothing', async () => {
    const file = fileOf(100)
    server.isOnline = false
    server.answers = [answerOf(201, { Location: '/api/uploads/upload1' }), ...Array(30).fill(null)]
    server.uploads.set('upload1', { size: 100, bytes: [] })
    server.onWait = () => {
      if (server.waits.length === 30) server.isOnline = true
    }
    expect(await upload(file)).toEqual({ uploadId: 'upload1' })
    expect(server.waits).toHaveLength(30)
    server.answers = Array(40).fill(null)
    expect(await upload(file)).toBe('disconnected')
    expect(server.waits.slice(30)).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1000))
  })

  it('[MEDIA-52] is not given up while each try brings bytes', async () => {
    const file = fileOf(400)
    server.cuts = Array(40).fill(10)
    expect(await upload(file)).toEqual({ uploadId: 'upload1' })
    expect(server.sizeOf('upload1')).toBe(400)
  })

  it('[MEDIA-52] waits as long as a refusal says, and returns one that is for good', async () => {
    const busy = refused('Busy', 503, { waitMs: 40_000 })
    server.answers = [busy]
    expect(await upload(fileOf(10))).toEqual({ uploadId: 'upload1' })
    expect(server.waits).toEqual([40_000])
    server.answers = [busy]
    const impatient = await upload(fileOf(10), { isPatient: false })
    expect(impatient instanceof Refusal && impatient.body.waitMs).toBe(40_000)
    server.answers = [refused('TooLarge', 413)]
    const tooLarge = await upload(fileOf(10))
    expect(tooLarge instanceof Refusal && tooLarge.body.code).toBe('TooLarge')
  })

  it('[MEDIA-53] that is cancelled is deleted on the server', async () => {
    const onProgress = () => cancel.abort()
    expect(await upload(fileOf(2 * CHUNK), { onProgress })).toBe('disconnected')
    expect(server.discarded).toEqual(['upload1'])
    expect(server.requests).toHaveLength(2)
    server.requests.length = 0
    expect(await upload(fileOf(10), { uploadId: 'upload7' })).toBe('disconnected')
    expect([server.requests, server.discarded]).toEqual([[], ['upload1', 'upload7']])
  })

  it('[MEDIA-54] that the server does not know, or as another one, begins anew', async () => {
    const ids: string[] = []
    const onUploadId = (id: string) => ids.push(id)
    expect(await upload(fileOf(10), { uploadId: 'gone', onUploadId })).toEqual({ uploadId: 'upload1' })
    expect(await upload(fileOf(20), { uploadId: 'upload1', onUploadId })).toEqual({ uploadId: 'upload2' })
    server.answers = [answerOf(201, { Location: '/api/uploads/lost' })]
    expect(await upload(fileOf(30), { onUploadId })).toEqual({ uploadId: 'upload3' })
    expect(ids).toEqual(['upload1', 'upload2', 'lost', 'upload3'])
    expect([1, 2, 3].map((n) => server.sizeOf(`upload${n}`))).toEqual([10, 20, 30])
  })
})
