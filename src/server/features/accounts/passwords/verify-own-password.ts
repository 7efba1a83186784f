import type { UserId } from '../../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../../shared/protocol/refusals.ts'
import { addressGroup, clientAddress } from '../../../kernel/http/client-address.ts'
import type { NodeContext } from '../../../kernel/http/node-app.ts'
import { retryWhenFresh } from '../../../kernel/regions/retry-when-fresh.ts'
import type { PasswordVerifier, PasswordWork } from '../../../model/accounts/passwords.ts'
import { userById } from '../../../model/accounts/queries.ts'
import { findFamiliarDevice, rememberDevice } from '../sign-in/familiar-device.ts'
import type { SignInDeps } from '../sign-in/sign-in-deps.ts'

/** Attempts share the limits of sign-in, so that a stolen token cannot be used to guess the password. */
export function createOwnPasswordVerifier({ appContext, limits, passwords }: SignInDeps): PasswordVerifier {
  const addressOf = (context: NodeContext) => clientAddress(appContext.config, context.env.incoming)
  const workOf = (userId: UserId, context: NodeContext): PasswordWork => {
    return { queue: 'changes', address: addressGroup(addressOf(context)), account: String(userId) }
  }
  const findMatchingHash = (userId: UserId, password: string, work: PasswordWork) =>
    retryWhenFresh(appContext, 'WrongPassword', async () => {
      const storedHash = appContext.reader.get(userById, { id: userId })?.passwordHash ?? null
      const isMatch = await passwords.verify(password, storedHash, work)
      if (isMatch instanceof Refusal) return isMatch
      return isMatch && storedHash !== null ? storedHash : refuse('WrongPassword')
    })
  return {
    hash: ({ userId }, password, context) => passwords.hash(password, workOf(userId, context)),
    verify: async ({ userId }, password, context) => {
      const account = appContext.reader.get(userById, { id: userId })
      if (!account) return refuse('SessionEnded')
      const device = findFamiliarDevice(appContext, context, account)
      const attempt = limits.attemptPassword({ foldedName: account.foldedName, address: addressOf(context), device })
      if (attempt.waitMs > 0) return refuse('RateLimited', { waitMs: attempt.waitMs })
      const matchingHash = await findMatchingHash(userId, password, workOf(userId, context))
      const isWrong = matchingHash instanceof Refusal && matchingHash.body.code === 'WrongPassword'
      if (!isWrong) attempt.refund()
      return matchingHash
    },
    rememberDevice: ({ userId }, context) => rememberDevice(appContext, context, userId),
  }
}
