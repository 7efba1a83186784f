import { expect, it } from 'vitest'
import { refuse } from '../../shared/protocol/refusals.ts'
import { Semaphore } from './semaphore.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('[FILE-05] runs no more tasks at once than allowed, in order, also after a rush and when tasks fail', async () => {
  const semaphore = new Semaphore(2, 10)
  const order: number[] = []
  let running = 0
  let maxRunning = 0
  const work = (index: number) => async () => {
    order.push(index)
    maxRunning = Math.max(maxRunning, ++running)
    await turn()
    running--
    if (index % 3 === 0) throw new Error('failed')
    return index
  }
  for (let rush = 0; rush < 3; rush++) {
    order.length = 0
    const outcomes = await Promise.allSettled(Array.from({ length: 13 }, (_, index) => semaphore.run(work(index))))
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
    expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: refuse('Busy') })
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4)
  }
  expect(maxRunning).toBe(2)
})
