import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import { localiseEmoji } from './localise-emoji.ts'

/** The module that the picker imports: the URL of its data. */
const VIRTUAL_MODULE = 'virtual:emoji-data'
const DEV_PATH = '/@emoji-data.json'

/** Generates the emoji picker's data: as a hashed asset of the build, in development on request. */
export const emojiAsset: Plugin = {
  name: 'meydan:emoji-data',
  configureServer({ middlewares }) {
    middlewares.use(DEV_PATH, (_, response, next) => {
      const answer = (json: string) => response.setHeader('content-type', 'application/json').end(json)
      readEmoji().then(answer, next)
    })
  },
  resolveId: (id) => (id === VIRTUAL_MODULE ? `\0${VIRTUAL_MODULE}` : null),
  async load(id) {
    if (id !== `\0${VIRTUAL_MODULE}`) return null
    if (this.environment.mode === 'dev') return `export default ${JSON.stringify(DEV_PATH)}`
    const file = this.emitFile({ type: 'asset', name: 'emoji.json', source: await readEmoji() })
    return `export default import.meta.ROLLUP_FILE_URL_${file}`
  },
}

async function readEmoji(): Promise<string> {
  const [data, words] = await Promise.all([
    readJson('@emoji-mart/data/sets/15/native.json'),
    readJson('cldr-annotations-full/annotations/tr/annotations.json'),
  ])
  return JSON.stringify(localiseEmoji(data, words.annotations.annotations))
}

// biome-ignore lint/suspicious/noExplicitAny: both packages are pinned, and a test checks the result.
async function readJson(path: string): Promise<any> {
  return JSON.parse(await readFile(createRequire(import.meta.url).resolve(path), 'utf8'))
}
