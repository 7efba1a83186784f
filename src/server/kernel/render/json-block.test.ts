import { expect, it } from 'vitest'
import { jsonBlock } from './json-block.ts'

it.each(['</script>', '</SCRIPT >', '<!--', '<!--<script>', ']]>', '\u2028', '\\u003c', '"', 'Işıl'])(
  'keeps %s inside the block and gives it back as it was',
  (text) => {
    const html = jsonBlock('id="boot"', { text })
    const content = /^<script type="application\/json" id="boot">([^<]*)<\/script>$/.exec(html)?.[1] ?? ''
    expect(JSON.parse(content)).toEqual({ text })
  },
)
