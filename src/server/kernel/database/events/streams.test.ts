import { expect, it } from 'vitest'
import { defineStream, defineStreamFamily, joinStreams, streamsOf } from './streams.ts'

it('gives a stream name to one feature only', () => {
  defineStream('tests')
  expect(() => defineStream('tests')).toThrow('two features define the stream tests')
  expect(() => defineStreamFamily('tests')).toThrow('two features define the stream tests')
})

it('joins two streams into a name that neither has', () => {
  const [one, other] = [defineStream('one'), defineStream('other')]
  expect(streamsOf(joinStreams(one, other))).toEqual([one, other])
  expect(streamsOf(one)).toEqual([one])
  expect(() => defineStream('one other')).toThrow('the stream one other has a space in its name')
})

it('finds the row id in the streams of its own family only', () => {
  const [rows, rowsets] = [defineStreamFamily<number>('row'), defineStreamFamily<number>('rowset')]
  expect([rows(7), rows.idOf(rows(7)), rowsets.idOf(rowsets(8))]).toEqual(['row:7', 7, 8])
  expect([rows.idOf(rowsets(8)), rowsets.idOf(rows(7)), rows.idOf(defineStream('row8'))]).toEqual([null, null, null])
})
