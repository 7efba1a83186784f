import type { KeyObject } from 'node:crypto'
import { Hono } from 'hono'
import { isFileHash } from '../../shared/media/rules.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { httpStatusOf, type NodeApp, type NodeContext } from '../http/route.ts'
import { StallError } from '../limits/stall-timeout.ts'
import type { BlobRef } from './blob-store.ts'
import type { FileStore } from './file-store.ts'
import { createFileStream } from './file-stream.ts'
import { isValidSignature } from './request-signature.ts'
import { LINK_FILES_PATH } from './transfer.ts'

/** What an answer may do in a browser, should one ever come here: nothing. */
const HEADERS = {
  'content-type': 'application/octet-stream',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-store',
}

/**
 * Where regions hand files to each other: `GET` and `PUT /link/files/<hash>`, each with a ticket. Whoever shows none is
 * passed on, to what the site answers for an address that is not there; so nothing of theirs is read or looked up.
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
    const errand = { method: 'PUT', hash, size } as const
    return isAuthorized(context, key, errand) && size !== null ? receiveFile(context, files, { hash, size }) : next()
  })
  return app
}

function isAuthorized(context: NodeContext, key: KeyObject, errand: Parameters<typeof isValidSignature>[1]): boolean {
  return isValidSignature(key, errand, context.req.header('authorization') ?? '') && isFileHash(errand.hash)
}

/** Gives what lies here and asks nobody else: regions would ask each other in a circle. */
async function serveFile(context: NodeContext, files: FileStore, hash: string): Promise<Response> {
  const found = await files.find(hash)
  if (!found) return context.body(null, 404, HEADERS)
  const headers = { ...HEADERS, 'content-length': String(found.size) }
  return new Response(context.req.method === 'HEAD' ? null : createFileStream(found), { headers })
}

async function receiveFile(context: NodeContext, files: FileStore, announced: BlobRef): Promise<Response> {
  if (announced.size > files.maxBytes) return context.body(null, 413, HEADERS)
  // A refusal has to find the line still open.
  const body = context.env.incoming.iterator({ destroyOnReturn: false })
  try {
    const kept = await files.receive(body, announced)
    if (kept === 'notPrimary') return context.body(null, 409, HEADERS)
    return context.body(null, kept instanceof Refusal ? httpStatusOf(kept.body.code) : 200, HEADERS)
  } catch (error) {
    const isTheirs = error instanceof StallError || error === context.env.incoming.errored
    if (!isTheirs) throw error
    return context.body(null, 408, HEADERS) // it broke off or fell silent: mostly nobody is there to read this
  }
}
