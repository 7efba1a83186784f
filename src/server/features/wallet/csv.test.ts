import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toCsv } from './csv.ts'

it.each([
  ['=1+1', `"'=1+1"`],
  ['+90', `"'+90"`],
  ['-2', `"'-2"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['＝1+1', `"'＝1+1"`],
  ['a=1', '"a=1"'],
  ['O"Neil;x', '"O""Neil;x"'],
  ['', '""'],
])('[REQUEST-10] writes the cell %j as %s', (text, cell) => {
  expect(toCsv([[text]])).toBe(`\uFEFF${cell}\r\n`)
})

it('[REQUEST-10] no cell begins with what a spreadsheet runs, and each is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }), (cells) => {
      const csv = toCsv([cells])
      const read = [...csv.slice(1).matchAll(/"((?:[^"]|"")*)"(?:;|\r\n$)/g)].map(([, cell = '']) =>
        cell.replaceAll('""', '"'),
      )
      expect(read.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/, ''))).toEqual(
        cells.map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/, '')),
      )
      for (const cell of read) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/)
    }),
  )
})
