import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { defaultAvatarPath } from '../../src/client/core/ui/person/avatar.tsx'

/** Largest side of an avatar in CSS pixels (core/ui/person/large-avatar.css), and the highest device pixel ratio. */
const MAX_SIDE_PX = 96
const MAX_PIXEL_RATIO = 3

it.each(['female', 'male', 'other', null] as const)(
  '[SHELL-34] the default avatar of %s is sharp and small',
  async (gender) => {
    const bytes = await readFile(join(import.meta.dirname, '../../src/client/public', defaultAvatarPath(gender)))
    const { format, width, height, hasAlpha } = await sharp(bytes).metadata()
    expect({ format, width, height, hasAlpha }).toEqual({
      format: 'webp',
      width: MAX_SIDE_PX * MAX_PIXEL_RATIO,
      height: MAX_SIDE_PX * MAX_PIXEL_RATIO,
      hasAlpha: true,
    })
    expect(bytes.length).toBeLessThanOrEqual(6 * 1024)
  },
)
