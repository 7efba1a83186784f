import { expect, it } from 'vitest'
import { toPopupHtml, wrapSelection } from './wrap-selection.ts'

it('[MANAGE-09] formats the selected words of a popup and keeps them selected', () => {
  const bold = wrapSelection({ text: 'bu akşam canlı', start: 3, end: 8 }, ['<b>', '</b>'])
  expect(bold).toEqual({ text: 'bu <b>akşam</b> canlı', start: 6, end: 11 })
  expect(wrapSelection({ text: '', start: 0, end: 0 }, ['<i>', '</i>'])).toEqual({ text: '<i></i>', start: 3, end: 3 })
})

it('[MANAGE-09] keeps the line breaks of a typed popup', () => {
  expect(toPopupHtml('  bir\r\niki\n\nüç ')).toBe('bir<br>iki<br><br>üç')
})
