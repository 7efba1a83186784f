import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { PasswordWork } from '../../../model/accounts/passwords.ts'
import { PasswordQueues } from './password-hasher.ts'

const BUSY_TEXT = 'Sunucu şu anda çok yoğun. Lütfen tekrar dene.'

describe('PasswordQueues', () => {
  let queues: PasswordQueues
  /** Names of the tasks in the order in which they started; each runs until it is finished by hand. */
  let started: string[]
  let finishers: (() => void)[]
  beforeEach(() => {
    queues = new PasswordQueues(2)
    started = []
    finishers = []
  })
  const run = (name: string, work: PasswordWork) =>
    queues.run(work, async () => {
      started.push(name)
      await new Promise<void>((resolve) => finishers.push(resolve))
      return name
    })
  const finishNext = async () => {
    finishers.shift()?.()
    await setImmediate()
  }
  const finishAll = async () => {
    while (finishers.length > 0) await finishNext()
  }
  const strangers = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      run(`s${i}`, { queue: 'strangers', address: `198.51.100.${i}`, account: `kaptan${i}` }),
    )

  it('[ACC-89] runs two tasks at a time and hands each place on', async () => {
    const answers = strangers(4)
    await setImmediate()
    expect(started).toEqual(['s0', 's1'])
    await finishNext()
    expect(started).toEqual(['s0', 's1', 's2'])
    await finishAll()
    expect(await Promise.all(answers)).toEqual(['s0', 's1', 's2', 's3'])
  })

  it('[ACC-89] serves a familiar device, a change and a room within four turns of 200 waiting strangers', async () => {
    void strangers(202)
    const others = (['familiar', 'changes', 'rooms'] as const).map((queue) =>
      run(queue, { queue, address: '203.0.113.5', account: '7' }),
    )
    for (let i = 0; i < 4; i++) await finishNext()
    expect(started.slice(2).sort()).toEqual(['changes', 'familiar', 'rooms', 's2'])
    await finishAll()
    expect(await Promise.all(others)).toEqual(['familiar', 'changes', 'rooms'])
  })

  it('[ACC-89] 60 members of one address who change their passwords delay no log-in', async () => {
    for (let i = 0; i < 60; i++) void run(`m${i}`, { queue: 'changes', address: '198.51.100.1', account: `${i}` })
    const login = run('login', { queue: 'strangers', address: '198.51.100.1', account: 'kaptan' })
    await finishNext()
    await finishNext()
    expect(started).toContain('login')
    await finishAll()
    expect(await login).toBe('login')
  })

  it('[ACC-90] refuses with Busy what exceeds 10 of an account, 50 of an address or 200 in all', async () => {
    const count = async (total: number, workOf: (i: number) => PasswordWork) => {
      const answers = Array.from({ length: total }, (_, i) => run(`${i}`, workOf(i)))
      await setImmediate()
      await finishAll()
      const refused = (await Promise.all(answers)).filter((answer) => answer instanceof Refusal)
      for (const { body } of refused) expect(body).toMatchObject({ code: 'Busy', message: BUSY_TEXT })
      return total - 2 - refused.length
    }
    expect(await count(20, (i) => ({ queue: 'strangers', address: `${i}`, account: 'kaptan' }))).toBe(10)
    expect(await count(60, (i) => ({ queue: 'strangers', address: '198.51.100.1', account: `${i}` }))).toBe(50)
    expect(await count(300, (i) => ({ queue: 'strangers', address: `${i}`, account: `${i}` }))).toBe(200)
    expect(await count(300, () => ({ queue: 'strangers', address: '198.51.100.1', account: null }))).toBe(50)
  })

  it('[ACC-89] frees the place of a task that throws', async () => {
    const fail = () =>
      queues.run({ queue: 'rooms', address: '', account: '1' }, () => Promise.reject(new Error('broken')))
    for (let i = 0; i < 3; i++) await expect(fail()).rejects.toThrow('broken')
    void strangers(2)
    await setImmediate()
    expect(started).toEqual(['s0', 's1'])
    await finishAll()
  })
})
