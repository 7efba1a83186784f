import { Server } from 'node:http'
import { join } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { MiddlewareHandler } from 'hono'
import { createServer, mergeConfig, type Plugin, type ViteDevServer } from 'vite'
import { meydan, root, type Site, siteConfig } from '../../../../vite.config.ts'
import type * as Bundle from './bundle.tsx'
import { assembleDocument, type PageAssets } from './document.ts'
import type { Renderer } from './renderer.ts'

const viteProtocols = ['vite-hmr', 'vite-ping']

/**
 * Renders through Vite's module runner, so a change shows at the next request; Vite serves the browser's modules on the
 * same port. The browser reloads when TSX changes and updates styles in place.
 */
export async function createDevRenderer(site: Site = meydan): Promise<Renderer> {
  // Vite needs a server for upgrades; this one gets only Vite's.
  const upgrades = new Server()
  const vite = await createServer(
    mergeConfig(siteConfig(site), {
      plugins: [reloadForPages],
      server: { middlewareMode: true, ws: { server: upgrades } },
      optimizeDeps: { entries: [`${site.sources}/page/main.ts`, `${site.sources}/**/*.island.tsx`] },
    }),
  )
  const load = async (): Promise<typeof Bundle> => {
    // The module of that path.
    return (await vite.ssrLoadModule('/src/server/kernel/render/bundle.tsx')) as typeof Bundle
  }
  let bundle = await load()
  return {
    render: (name, props, context) => {
      const page = bundle.renderPage(name, props, context.boot, context.partial)
      return assembleDocument(page, assetsOf(vite, site.sources, name), context)
    },
    files: viteFiles(vite, async () => {
      bundle = await load()
    }),
    upgrade: (request, socket, head) => {
      const isForVite = viteProtocols.includes(request.headers['sec-websocket-protocol'] ?? '')
      if (isForVite) upgrades.emit('upgrade', request, socket, head)
      else socket.destroy()
    },
    close: () => vite.close(),
  }
}

/** Reloads the browser when a module that only the server renders changes. */
const reloadForPages: Plugin = {
  name: 'meydan:reload-for-pages',
  hotUpdate({ file, modules, server }) {
    const { client } = server.environments
    const serverOnly =
      this.environment.name === 'ssr' && modules.length > 0 && !client.moduleGraph.getModulesByFile(file)
    if (serverOnly) client.hot.send({ type: 'full-reload' })
  },
}

/** Serves files through Vite; reloads the pages and passes on other requests.  */
function viteFiles(vite: ViteDevServer, refresh: () => Promise<void>): MiddlewareHandler {
  return async (c, next) => {
    // Under @hono/node-server the bindings are Node's own request and response.
    const { incoming, outgoing } = c.env as HttpBindings
    const isPassedOn = await new Promise<boolean>((resolve, reject) => {
      outgoing.once('close', () => resolve(false))
      vite.middlewares(incoming, outgoing, (error: unknown) => (error ? reject(error) : resolve(true)))
    })
    if (!isPassedOn) return RESPONSE_ALREADY_SENT
    await refresh()
    return next()
  }
}

function assetsOf(vite: ViteDevServer, sources: string, name: string): PageAssets {
  const routes = ['_app', name].map((route) => join(root, sources, 'page/routes', `${route}.tsx`))
  return {
    build: 'development',
    scripts: ['/@vite/client', `/${sources}/page/main.ts`],
    styles: [...new Set(routes.flatMap((route) => stylesOf(vite, route)))],
    modulePreloads: [],
  }
}

/** The styles that a module imports, in their order, linked so that nothing flashes before the scripts run. */
function stylesOf(vite: ViteDevServer, file: string): string[] {
  const graph = vite.environments.ssr.moduleGraph
  const visited = new Set<unknown>()
  const visit = (module: ReturnType<typeof graph.getModuleById>): string[] => {
    if (!module || visited.has(module)) return []
    visited.add(module)
    if (module.url.endsWith('.css')) return [module.url]
    return [...module.importedModules].flatMap(visit)
  }
  return visit(graph.getModuleById(file))
}
