import { join } from 'node:path'
import { build, mergeConfig } from 'vite'
import { root, siteConfig } from '../../vite.config.ts'

/** Builds `room-tree.tsx` with the build of the server's pages, but islands as plain components; prints the path of the bundle. */
export interface Task {
  folder: string
}

const { folder } = JSON.parse(process.argv[2] ?? '{}') as Task
await build(
  mergeConfig(siteConfig(), {
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'bench:inline-islands',
        enforce: 'pre',
        resolveId: (source: string) =>
          source.endsWith('/island.tsx') ? join(root, 'bench/peers/inline-island.tsx') : null,
      },
    ],
    ssr: { noExternal: true },
    build: { outDir: folder, ssr: join(root, 'bench/peers/room-tree.tsx'), copyPublicDir: false, emptyOutDir: false },
  }),
)
console.log(JSON.stringify({ bundle: join(folder, 'room-tree.js') }))
