import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { PasswordHasher } from './password-hasher.ts'

async function hashed(passwords: PasswordHasher, password: string): Promise<string> {
  const hash = await passwords.hash(password)
  if (hash instanceof Refusal) throw new Error(hash.body.code)
  return hash
}

describe('a password', () => {
  it('[ACC-05] is kept as argon2id of 19 MiB, 2 passes, 1 lane, with a salt of its own', async () => {
    const passwords = new PasswordHasher()
    const [one, other] = [await hashed(passwords, 'güvercin uçuverdi'), await hashed(passwords, 'güvercin uçuverdi')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    expect(other).not.toBe(one)
    expect(await passwords.verify('güvercin uçuverdi', one)).toBe(true)
    expect(await passwords.verify('güvercin uçuverdı', one)).toBe(false)
  })

  it('[ACC-05] is the same however the keyboard spelt its letters, and whole, however long', async () => {
    const passwords = new PasswordHasher()
    const hash = await hashed(passwords, `${'ş'.repeat(127)}i`)
    expect(await passwords.verify(`${'s\u0327'.repeat(127)}i`, hash)).toBe(true)
    expect(await passwords.verify(`${'ş'.repeat(127)}j`, hash)).toBe(false)
  })

  it('[ACC-06] is computed also where none is stored, and then never right', async () => {
    const passwords = new PasswordHasher()
    expect(await passwords.verify('anything at all', null)).toBe(false)
    expect(passwords.computedCount).toBe(1)
  })

  it('is refused with Busy when too many wait, and served in turn again after that', async () => {
    const passwords = new PasswordHasher(2)
    // Twice, since a place that is given up wrongly shows only when the next ones come.
    for (const computed of [4, 8]) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => passwords.verify('x', null)))
      const refused = answers.filter((answer) => answer instanceof Refusal)
      expect(refused.map((answer) => answer.body.code)).toEqual(['Busy'])
      expect(passwords.computedCount).toBe(computed)
    }
    expect(await passwords.verify('x', null)).toBe(false)
  })

  it('that was stored in another way is a bug, not a wrong password', async () => {
    await expect(new PasswordHasher().verify('x', '$2b$12$bcrypt')).rejects.toThrow('PHC')
  })
})
