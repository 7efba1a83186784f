import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { WriteAnswer, WriteCommandName, WriteInput } from './commands.ts'
import type { LoggedEvent } from './events.ts'
import type { Claims, Moment } from './transact.ts'
import { createWriteDoor } from './write-door.ts'

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
  moment?: Moment
  /** Answer only once another region has it too, where there are several and the site asks for that. */
  confirm?: boolean
}

const NOWHERE: Moment = { inRoomForMs: null }

export interface LoneDoor {
  execute: Execute
  /** Commands that wait or are under way. */
  waiting(): number
  /** Refuses new work and waits until what was taken is written and answered. */
  drain(): Promise<void>
  /** Closes the file, whole and without a log beside it where nobody else has it open, and ends the writer. */
  close(): Promise<void>
}

export interface LoneDoorOptions {
  file: string
  /** More waiting commands than this are refused with Busy. */
  queueLength: number
  /** Called with each commit's events, in log order, before its answers are released. */
  onEvents: (events: LoggedEvent[]) => void
  onBatch: (size: number, tookMs: number) => void
  onBug: (command: string, stack: string) => void
}

/** The write door of a plain file, open at once. Throws a DatabaseError. */
export async function openWriteDoor(options: LoneDoorOptions): Promise<LoneDoor> {
  const door = createWriteDoor({ ...options, onLiteFs: false })
  try {
    await door.open({ clockOffsetMs: 0 })
  } catch (error) {
    await door.close()
    throw error
  }
  const carryOut = async (
    command: WriteCommandName,
    actor: Claims | null,
    input: object,
    { clientId, moment = NOWHERE }: ExecuteOptions = {},
  ) => {
    const carried = await door.carryOut({ command, actor, input, clientId: clientId ?? null, moment })
    if (carried === 'lost') return refuse('ShuttingDown')
    return 'answer' in carried ? carried.answer : new Refusal(carried.refusal)
  }
  return {
    execute: carryOut as Execute, // the answer's type follows from the command's name
    waiting: () => door.waiting(),
    drain: async () => void (await door.shut()),
    close: () => door.close(),
  }
}
