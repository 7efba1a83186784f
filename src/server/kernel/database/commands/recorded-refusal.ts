import { Refusal } from '../../../../shared/protocol/refusals.ts'

/**
 * A refusal whose command keeps what it has written, such as a text that waits for review. The command returns it before
 * any write of its own. No answer is stored for a retry, so the handler that refuses must recognise a repeated input.
 */
export class RecordedRefusal extends Refusal {}
