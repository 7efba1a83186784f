import type { KeyObject } from 'node:crypto'
import { Hono } from 'hono'
import { isFileHash } from '../../../shared/media/rules.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { BlobRef } from '../../kernel/files/blob-store.ts'
import type { FileStore } from '../../kernel/files/file-store.ts'
import { createFileStream } from '../../kernel/files/file-stream.ts'
import { type FileRequest, isValidSignature } from '../../kernel/files/request-signature.ts'
import { LINK_FILES_PATH } from '../../kernel/files/transfer.ts'
import type { NodeApp, NodeContext } from '../../kernel/http/node-app.ts'
import { httpStatusOf } from '../../kernel/http/route.ts'
import { StallError } from '../../kernel/limits/stall-timeout.ts'

/** Browsers never request these URLs; if one does, the response must not run or be cached. */
const HEADERS = {
  'content-type': 'application/octet-stream',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
}

/**
 * Transfers between regions: signed `GET` and `PUT /link/files/<hash>`. An unsigned request gets the site's 404 for unknown
 * URLs; its body is not read and no file is looked up.
 */
export function linkFileRoutes(files: FileStore, key: KeyObject): NodeApp {
  const app: NodeApp = new Hono()
  app.get(`${LINK_FILES_PATH}/:hash`, async (context, next) => {
    const hash = context.req.param('hash')
    return isAuthorized(context, key, { method: 'GET', hash, size: null }) ? serveFile(context, files, hash) : next()
  })
  app.put(`${LINK_FILES_PATH}/:hash`, async (context, next) => {
    const hash = context.req.param('hash')
    const length = context.req.header('content-length') ?? ''
    const size = /^\d{1,15}$/.test(length) ? Number(length) : null
    const fileRequest = { method: 'PUT', hash, size } as const
    return isAuthorized(context, key, fileRequest) && size !== null
      ? receiveFile(context, files, { hash, size })
      : next()
  })
  return app
}

function isAuthorized(context: NodeContext, key: KeyObject, fileRequest: FileRequest): boolean {
  return isValidSignature(key, fileRequest, context.req.header('authorization') ?? '') && isFileHash(fileRequest.hash)
}

/** Serves local files only; a pull here could make regions request a file from each other in a cycle. */
async function serveFile(context: NodeContext, files: FileStore, hash: string): Promise<Response> {
  const file = await files.find(hash)
  if (!file) return context.body(null, 404, HEADERS)
  const headers = { ...HEADERS, 'content-length': String(file.size) }
  return new Response(context.req.method === 'HEAD' ? null : createFileStream(file), { headers })
}

async function receiveFile(context: NodeContext, files: FileStore, announced: BlobRef): Promise<Response> {
  if (announced.size > files.maxBytes) return context.body(null, 413, HEADERS)
  // Keeps the connection open, so that a refusal can be sent.
  const body = context.env.incoming.iterator({ destroyOnReturn: false })
  try {
    const stored = await files.receive(body, announced)
    if (stored === 'notPrimary') return context.body(null, 409, HEADERS)
    return context.body(null, stored instanceof Refusal ? httpStatusOf(stored.body.code) : 200, HEADERS)
  } catch (error) {
    const isSenderFault = error instanceof StallError || error === context.env.incoming.errored
    if (!isSenderFault) throw error
    return context.body(null, 408, HEADERS) // the sender disconnected or stalled
  }
}
