import { expect, it } from 'vitest'
import { refuse } from '../../../shared/protocol/refusals.ts'
import { Semaphore } from './semaphore.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

it('[FILE-05] a semaphore runs at most maxConcurrent tasks, in order, also after bursts and failed tasks', async () => {
  const semaphore = new Semaphore(2, 10)
  const order: number[] = []
  let running = 0
  let maxRunning = 0
  const work = (index: number) => async () => {
    order.push(index)
    maxRunning = Math.max(maxRunning, ++running)
    await nextTurn()
    running--
    if (index % 3 === 0) throw new Error('failed')
    return index
  }
  for (let burst = 0; burst < 3; burst++) {
    order.length = 0
    const outcomes = await Promise.allSettled(Array.from({ length: 13 }, (_, index) => semaphore.run(work(index))))
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: refuse('Busy') })
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  }
  expect(maxRunning).toBe(2)
})

it('a semaphore without a queue runs a task when it is idle, and refuses a second one', async () => {
  const semaphore = new Semaphore(1, 0)
  expect(await Promise.all([semaphore.run(async () => 1), semaphore.run(async () => 2)])).toEqual([1, refuse('Busy')])
  expect(await semaphore.run(async () => 3)).toBe(3)
})
