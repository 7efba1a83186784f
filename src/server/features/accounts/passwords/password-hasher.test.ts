import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { PasswordHasher } from './password-hasher.ts'

async function hashPassword(passwords: PasswordHasher, password: string): Promise<string> {
  const hash = await passwords.hash(password)
  if (hash instanceof Refusal) throw new Error(hash.body.code)
  return hash
}

describe('PasswordHasher', () => {
  it('[ACC-05] hashes with argon2id of 19 MiB, 2 passes and 1 lane, and a new salt each time', async () => {
    const passwords = new PasswordHasher()
    const [one, other] = [
      await hashPassword(passwords, 'güvercin uçuverdi'),
      await hashPassword(passwords, 'güvercin uçuverdi'),
    ]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(other).not.toBe(one)
    expect(await passwords.verify('güvercin uçuverdi', one)).toBe(true)
    expect(await passwords.verify('güvercin uçuverdı', one)).toBe(false)
  })

  it('[ACC-05] accepts another Unicode spelling of the password and compares all of its characters', async () => {
    const passwords = new PasswordHasher()
    const hash = await hashPassword(passwords, `${'ş'.repeat(127)}i`)
    expect(await passwords.verify(`${'s\u0327'.repeat(127)}i`, hash)).toBe(true)
    expect(await passwords.verify(`${'ş'.repeat(127)}j`, hash)).toBe(false)
  })

  it('[ACC-06] computes a hash when none is stored, and then refuses the password', async () => {
    const passwords = new PasswordHasher()
    expect(await passwords.verify('anything at all', null)).toBe(false)
    expect(passwords.computedCount).toBe(1)
  })

  it('[ACC-90] refuses with Busy when the queue is full, and recovers after that', async () => {
    const passwords = new PasswordHasher(async () => Buffer.alloc(32), undefined, 2)
    // Two rounds, because a leaked slot shows only in the second one.
    for (const computed of [52, 104]) {
      const answers = await Promise.all(Array.from({ length: 54 }, () => passwords.verify('x', null)))
      const refused = answers.filter((answer) => answer instanceof Refusal)
      expect(refused.map((answer) => answer.body.code)).toEqual(['Busy', 'Busy'])
      expect(passwords.computedCount).toBe(computed)
    }
    expect(await passwords.verify('x', null)).toBe(false)
  })

  it('throws for a stored hash of another format', async () => {
    await expect(new PasswordHasher().verify('x', '$2b$12$bcrypt')).rejects.toThrow('PHC')
  })
})
