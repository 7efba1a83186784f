import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { MiddlewareHandler } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { encodingQuality } from './accept-encoding.ts'
import { contentTag, isNotModified } from './conditional-requests.ts'

type Encoding = 'br' | 'gzip'

interface StaticFile {
  type: string
  etag: string
  /** The name contains the hash of the content. */
  isImmutable: boolean
  content: Uint8Array<ArrayBuffer>
  encoded: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>
}

const encodingExtensions: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

/**
 * Serves the files of a build's folder from memory, as read at the start, with their precompressed versions. The
 * request's path is only a key of the file map, so it cannot escape the folder.
 */
export async function staticFiles(folder: string): Promise<MiddlewareHandler> {
  const files = await readFiles(folder)
  return async (c, next) => {
    const file = files.get(c.req.path)
    if (!file || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return next()
    const encoding = chooseEncoding(file, c.req.header('Accept-Encoding'))
    const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`
    c.header(
      'Cache-Control',
      file.isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600, stale-while-revalidate=86400',
    )
    c.header('ETag', etag)
    if (Object.keys(file.encoded).length > 0) c.header('Vary', 'Accept-Encoding')
    if (isNotModified(c.req.header('If-None-Match'), etag)) return c.body(null, 304)
    const content = (encoding && file.encoded[encoding]) ?? file.content
    if (encoding) c.header('Content-Encoding', encoding)
    c.header('Content-Type', file.type)
    c.header('Content-Length', String(content.byteLength))
    return c.body(content)
  }
}

async function readFiles(folder: string): Promise<Map<string, StaticFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const present = new Set(paths)
  const files = new Map<string, StaticFile>()
  for (const path of paths) {
    if (path.startsWith('.') || /\.(br|gz)$/.test(path)) continue
    files.set(`/${path}`, await readStaticFile(folder, path, present))
  }
  return files
}

async function readStaticFile(folder: string, path: string, present: Set<string>): Promise<StaticFile> {
  const content = await readFile(join(folder, path))
  const encoded: StaticFile['encoded'] = {}
  for (const encoding of ['br', 'gzip'] as const) {
    const compressed = path + encodingExtensions[encoding]
    if (present.has(compressed)) encoded[encoding] = await readFile(join(folder, compressed))
  }
  return {
    type: path.endsWith('.webmanifest')
      ? 'application/manifest+json'
      : (getMimeType(path) ?? 'application/octet-stream'),
    etag: contentTag(content),
    isImmutable: path.startsWith('assets/'),
    content,
    encoded,
  }
}

/** The encoding that the client wants most; Brotli rather than gzip. */
function chooseEncoding(file: StaticFile, accepted?: string): Encoding | undefined {
  const offers = (['br', 'gzip'] as const)
    .map((encoding) => ({ encoding, quality: file.encoded[encoding] ? encodingQuality(accepted, encoding) : 0 }))
    .filter(({ quality }) => quality > 0)
  return offers.toSorted((a, b) => b.quality - a.quality)[0]?.encoding
}
