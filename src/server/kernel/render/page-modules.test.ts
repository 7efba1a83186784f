import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../../../vite.config.ts'

it('PageModules lists every page file', async () => {
  const files = await readdir(join(root, 'src/client/page/routes'), { recursive: true })
  const pages = files.filter((file) => file.endsWith('.tsx')).map((file) => file.slice(0, -'.tsx'.length))
  const source = readFileSync(join(import.meta.dirname, 'page-modules.ts'), 'utf8')
  const typed = [...source.matchAll(/^ {2}'?([^':]+)'?: typeof /gm)].map((match) => match[1])
  expect(typed.sort()).toEqual(pages.filter((page) => page !== '_app').sort())
})
