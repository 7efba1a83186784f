import { describe, expect, it } from 'vitest'
import { EventLoopBudget } from './event-loop-budget.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('the time of a turn', () => {
  it('[HTTP-09] lets a key run four short tasks in a turn, in order, and another key runs its own', async () => {
    const budget = new EventLoopBudget(4)
    const order: (number | string)[] = []
    for (let index = 0; index < 10; index++) budget.run('a', () => order.push(index))
    budget.run('b', () => order.push('b'))
    expect(order).toEqual([0, 1, 2, 3, 'b'])
    await nextTurn()
    expect(order).toHaveLength(9)
    await nextTurn()
    expect(order.filter((item) => item !== 'b')).toEqual([...Array(10).keys()])
  })

  it('[HTTP-09] is spent by a long task, until the next turn', async () => {
    const budget = new EventLoopBudget(4)
    const order: string[] = []
    budget.run('a', () => budget.spend('a', 100))
    budget.run('a', () => order.push('later'))
    expect([order, budget.isSpent('a'), budget.isSpent('b')]).toEqual([[], true, false])
    await nextTurn()
    expect([order, budget.isSpent('a')]).toEqual([['later'], false])
  })
})
