import type { CommandInput, CommandName } from '../../../shared/protocol/catalogue.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Outcome } from '../live/socket.ts'
import { live } from '../live/state.ts'
import { confirmPassword } from './confirm-password.ts'

/** Sends a command of root admins; if the server asks for the password, asks the user and repeats the command once. */
export async function requestAsAdmin<N extends CommandName>(name: N, input: CommandInput<N>): Promise<Outcome<N>> {
  const outcome = await live.request(name, input)
  const isPasswordRequired = outcome instanceof Refusal && outcome.body.code === 'PasswordRequired'
  // The new token is sent to the server before the repeated command (live/state.ts).
  return isPasswordRequired && (await confirmPassword()) ? live.request(name, input) : outcome
}
