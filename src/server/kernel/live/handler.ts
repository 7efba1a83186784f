import type { CommandAnswer, CommandInput, CommandName } from '../../../shared/protocol/catalogue.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import type { Connection } from './connection.ts'

/** An answer, and a callback that sends more on the same connection directly after it, before newer events. */
export class AnswerWithFollowUp<A> {
  readonly answer: A
  readonly afterAnswer: () => void
  constructor(answer: A, afterAnswer: () => void) {
    this.answer = answer
    this.afterAnswer = afterAnswer
  }
}

export type HandlerResult<A> = A | Refusal | AnswerWithFollowUp<A>

/** Runs a command of the live protocol. Throws only for bugs; expected failures are refusals. */
export type Handler<N extends CommandName> = (
  appContext: AppContext,
  connection: Connection,
  input: CommandInput<N>,
) => HandlerResult<CommandAnswer<N>> | Promise<HandlerResult<CommandAnswer<N>>>

/** A handler for each command of the catalogue. */
export type Handlers = { [N in CommandName]: Handler<N> }
