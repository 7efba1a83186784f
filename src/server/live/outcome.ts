import type { CommandAnswer, CommandInput, CommandName } from '../../shared/protocol/catalogue.ts'
import type { Refusal } from '../../shared/protocol/refusals.ts'
import type { World } from '../world.ts'
import type { Connection } from './connection.ts'

/** An answer after which something more is sent on the same connection, before anything newer. */
export class Followed<A> {
  readonly answer: A
  readonly follow: () => void
  constructor(answer: A, follow: () => void) {
    this.answer = answer
    this.follow = follow
  }
}

export type Outcome<A> = A | Refusal | Followed<A>

/** What carries out a command of the live protocol. It throws only for bugs. */
export type Handler<N extends CommandName> = (
  world: World,
  connection: Connection,
  input: CommandInput<N>,
) => Outcome<CommandAnswer<N>> | Promise<Outcome<CommandAnswer<N>>>
