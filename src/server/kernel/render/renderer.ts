import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pathToFileURL } from 'node:url'
import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { Site } from '../../../../vite.config.ts'
import type { Config } from '../config.ts'
import { staticFiles } from '../http/static-files.ts'
import { ensureBuild } from './build.ts'
import type * as Bundle from './bundle.tsx'
import { assembleDocument, type PageAssets, type RenderContext } from './document.ts'
import type { PageName, PageProps } from './page-modules.ts'
import type { BuiltAssets } from './vite-build.ts'

export interface Renderer {
  /** Renders a page to HTML. Throws what the page throws. */
  render<N extends PageName>(name: N, props: PageProps<N>, context: RenderContext): string
  /** Serves built files (in development Vite's) and `src/client/public`; passes other requests on. */
  files: MiddlewareHandler
  /** Handles an upgrade that is not for the live protocol: Vite's in development; otherwise destroys the socket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): Promise<void>
}

/** Builds the site if its sources have changed; with `isDev` it renders through Vite, with reloading. */
export async function createRenderer(config: Pick<Config, 'isDev'>, log: Logger, site?: Site): Promise<Renderer> {
  if (config.isDev) {
    const { createDevRenderer } = await import('./dev-renderer.ts')
    return createDevRenderer(site)
  }
  const build = await ensureBuild(log, site)
  const assets: BuiltAssets = JSON.parse(await readFile(join(build.folder, 'assets.json'), 'utf8'))
  const bundle: typeof Bundle = await import(pathToFileURL(join(build.folder, 'server/bundle.js')).href)
  return {
    render: (name, props, context) => {
      const page = bundle.renderPage(name, props, context.boot, context.partial)
      return assembleDocument(page, assetsOf(build.id, assets, name, page.eagerIslands), context)
    },
    files: await staticFiles(join(build.folder, 'client')),
    upgrade: (_request, socket) => socket.destroy(),
    close: async () => {},
  }
}

function assetsOf(build: string, assets: BuiltAssets, name: string, loads: string[]): PageAssets {
  return {
    build,
    scripts: [assets.script],
    styles: [...(assets.styles._app ?? []), ...(assets.styles[name] ?? [])],
    modulePreloads: [...new Set(loads.flatMap((island) => assets.islands[island] ?? []))],
  }
}
