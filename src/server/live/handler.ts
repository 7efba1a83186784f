import type { CommandAnswer, CommandInput, CommandName } from '../../shared/protocol/catalogue.ts'
import type { Refusal } from '../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import type { Connection } from './connection.ts'

/** An answer after which something more is sent on the same connection, before anything newer. */
export class AnswerThen<A> {
  readonly answer: A
  readonly afterAnswer: () => void
  constructor(answer: A, follow: () => void) {
    this.answer = answer
    this.afterAnswer = follow
  }
}

export type HandlerResult<A> = A | Refusal | AnswerThen<A>

/** What carries out a command of the live protocol. It throws only for bugs. */
export type Handler<N extends CommandName> = (
  world: AppContext,
  connection: Connection,
  input: CommandInput<N>,
) => HandlerResult<CommandAnswer<N>> | Promise<HandlerResult<CommandAnswer<N>>>

/** A handler for each command of the catalogue. */
export type Handlers = { [N in CommandName]: Handler<N> }
