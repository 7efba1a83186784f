import { expect, it } from 'vitest'
import { defineStream, defineStreamFamily } from './streams.ts'

it('gives a stream name to one feature only', () => {
  defineStream('tests')
  expect(() => defineStream('tests')).toThrow('two features define the stream tests')
  expect(() => defineStreamFamily('tests')).toThrow('two features define the stream tests')
})

it('finds the row id in the streams of its own family only', () => {
  const [rows, rowsets] = [defineStreamFamily<number>('row'), defineStreamFamily<number>('rowset')]
  expect([rows(7), rows.idOf(rows(7)), rowsets.idOf(rowsets(8))]).toEqual(['row:7', 7, 8])
  expect([rows.idOf(rowsets(8)), rowsets.idOf(rows(7)), rows.idOf(defineStream('row8'))]).toEqual([null, null, null])
})
