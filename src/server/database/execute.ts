import type { Refusal } from '../../shared/protocol/refusals.ts'
import type { WriteAnswer, WriteCommandName, WriteInput } from './commands.ts'
import type { ActorContext, Claims } from './transact.ts'

/** The write door. Resolves when the change is durable, or with the refusal. A refusal leaves nothing behind. */
export type Execute = <N extends WriteCommandName>(
  command: N,
  actor: Claims | null,
  input: WriteInput<N>,
  options?: ExecuteOptions,
) => Promise<WriteAnswer<N> | Refusal>

export interface ExecuteOptions {
  /** Makes a retry have one effect and get the same answer. */
  clientId?: string
  actorContext?: ActorContext
  /** Answer only once another region has it too, where there are several and the site asks for that. */
  awaitReplicaAck?: boolean
}
