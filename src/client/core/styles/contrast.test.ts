import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

/** WCAG 2.2, 1.4.3 (text) and 1.4.11 (parts of controls). */
const TEXT_RATIO = 4.5
const PART_RATIO = 3

const SURFACES = ['page', 'surface', 'raised', 'hover']
const NAMES = Array.from({ length: 8 }, (_, index) => `name-${index}`)
/** Each colour with those that it is drawn on. */
const textPairs: [colour: string, grounds: string[]][] = [
  ...['text', 'text-soft', 'text-faint'].map((name): [string, string[]] => [name, SURFACES]),
  ...['accent-text', 'good', 'info', 'danger', ...NAMES].map((name): [string, string[]] => [
    name,
    ['page', 'surface', 'raised'],
  ]),
  ['on-accent', ['accent', 'accent-hover', 'accent-pressed']],
  ['text', ['own', 'accent-tint', 'danger-tint']],
  ['own-faint', ['own']],
  ['accent-text', ['accent-tint']],
  ['danger', ['danger-tint']],
]
const partPairs: [colour: string, grounds: string[]][] = [
  ['focus', SURFACES],
  ['line-strong', ['page', 'surface', 'raised']],
  ['online', ['page', 'surface', 'raised']],
]

describe.each(themes)('colours of the %s theme', (theme) => {
  it.each(expand(textPairs))('text %s is readable on %s', (colour, ground) => {
    expect(contrastRatio(token(colour, theme), token(ground, theme))).toBeGreaterThanOrEqual(TEXT_RATIO)
  })

  it.each(expand(partPairs))('%s is visible on %s', (colour, ground) => {
    expect(contrastRatio(token(colour, theme), token(ground, theme))).toBeGreaterThanOrEqual(PART_RATIO)
  })
})

describe.each(themes)("text over a room's background in the %s theme", (theme) => {
  const frame = readFileSync(join(import.meta.dirname, '../../features/rooms/room-frame.css'), 'utf8')
  const opacity = Number(/\.room-background \{[^}]*opacity: ([\d.]+);/.exec(frame)?.[1])
  const extremes = ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff', '#808080']

  it.each(extremes)('[MANAGE-07] is readable on a picture of %s', (picture) => {
    const ground = luminanceOf(blend(picture, hexToken('page', theme), opacity))
    expect(contrastRatio(token('text', theme), ground)).toBeGreaterThanOrEqual(TEXT_RATIO)
  })

  it('[MANAGE-07] has the colour that is measured here', () => {
    for (const name of ['text-soft', 'text-faint', 'focus'])
      expect(frame).toMatch(new RegExp(`:has\\(> \\.room-background\\) \\{[^}]*--${name}: var\\(--text\\);`))
  })
})

it('measures contrast as WCAG defines it', () => {
  expect(contrastRatio(luminanceOf('#000000'), luminanceOf('#ffffff'))).toBeCloseTo(21)
  expect(contrastRatio(luminanceOf('#767676'), luminanceOf('#ffffff'))).toBeCloseTo(4.54, 2)
  expect(luminanceOf('oklch(100% 0 0)')).toBeCloseTo(1, 3)
  expect(luminanceOf('oklch(62.8% 0.2577 29.23)')).toBeCloseTo(luminanceOf('#ff0000'), 2)
})

function expand(pairs: [string, string[]][]): [string, string][] {
  return pairs.flatMap(([colour, grounds]) => grounds.map((ground): [string, string] => [colour, ground]))
}

/** The relative luminance of a token, 0 to 1. */
function token(name: string, theme: Theme): number {
  const value = new RegExp(`--${name}: (.+);`).exec(css)?.[1]
  if (!value) throw new Error(`tokens.css has no --${name}`)
  const both = /^light-dark\((.+), (#.+|oklch.+)\)$/.exec(value)
  return luminanceOf((theme === 'light' ? both?.[1] : both?.[2]) ?? value)
}

/** The `#rrggbb` of a token. */
function hexToken(name: string, theme: Theme): string {
  const hex = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(css)
  return (theme === 'light' ? hex?.[1] : hex?.[2]) ?? expect.unreachable(`--${name} is no pair of hex colours`)
}

/** A colour with this opacity above another one, as browsers blend it: in sRGB. */
function blend(above: string, below: string, opacity: number): string {
  const mixed = [1, 3, 5].map((at) => {
    const [one, other] = [above, below].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16))
    return Math.round((one ?? 0) * opacity + (other ?? 0) * (1 - opacity))
  })
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function contrastRatio(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

function luminanceOf(colour: string): number {
  const [red, green, blue] = linearRgb(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Linear sRGB of `#rrggbb` or `oklch(L% C H)`, clipped to the gamut as a browser shows it. */
function linearRgb(colour: string): [number, number, number] {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(colour)
  if (hex) return [linearChannel(hex[1]), linearChannel(hex[2]), linearChannel(hex[3])]
  const parts = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(colour)
  if (!parts) throw new Error(`no colour that this test reads: ${colour}`)
  return oklchToLinearRgb(Number(parts[1]) / 100, Number(parts[2]), (Number(parts[3]) * Math.PI) / 180)
}

function linearChannel(digits = '00'): number {
  const value = Number.parseInt(digits, 16) / 255
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** CSS Color 4, "Sample code for color conversions"; the hue in radians. */
function oklchToLinearRgb(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b) ** 3
  const m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b) ** 3
  const s = (lightness - 0.089_484_177_5 * a - 1.291_485_548 * b) ** 3
  const clip = (value: number) => Math.min(1, Math.max(0, value))
  return [
    clip(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
    clip(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
    clip(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s),
  ]
}
