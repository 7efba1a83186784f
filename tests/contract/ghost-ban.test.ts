import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPicture } from '../../src/server/testing/fixtures/test-pictures.ts'
import { SeededRandom } from '../../src/server/testing/simulation/seeded-random.ts'
import type { RecordedStep } from './ghost-participant.ts'
import { type GhostRun, ParallelRuns } from './ghost-run.ts'
import { createProbes, createStepsAfter, createStepsBefore, type PersonName } from './ghost-script.ts'
import { HandClock } from './hand-clock.ts'

/** `TEST_SEED=7` sets another one. */
const SEED = Number(process.env.TEST_SEED ?? 20_261_123)
const RUN_TIMEOUT_MS = 240_000

describe(`a guest with and without a ghost ban, TEST_SEED=${SEED}`, () => {
  const clock = new HandClock()
  let runs: ParallelRuns
  /** The steps after the ban in which others do not yet look for a trace. */
  let stepCount: number

  beforeAll(async () => {
    const random = new SeededRandom(SEED)
    const picture = await createPicture('png')
    clock.start()
    runs = await ParallelRuns.open(clock, ['free', 'ghost', 'gone'], picture)
    await runs.takeSteps(createStepsBefore(random))
    for (const run of runs.runs) run.forgetSteps()
    await runs.takeStep('the ban', (run) => run.treat())
    await runs.takeSteps(createStepsAfter(random))
    const { steps, files } = runOf('ghost').people.hayal
    stepCount = steps.length
    await runs.takeSteps(createProbes(random, files))
  }, RUN_TIMEOUT_MS)
  afterAll(async () => {
    await runs.close()
    clock.stop()
  })

  function runOf(treatment: GhostRun['treatment']): GhostRun {
    const run = runs.runs.find((candidate) => candidate.treatment === treatment)
    if (!run) throw new Error(`there is no run ${treatment}`)
    return run
  }

  function stepsOf(treatment: GhostRun['treatment'], name: PersonName): RecordedStep[] {
    return runOf(treatment).people[name].steps
  }

  it('[GHOST-20] gets the same frames, pages and answers in a random script', () => {
    expect(stepsOf('ghost', 'hayal').slice(0, stepCount)).toEqual(stepsOf('free', 'hayal').slice(0, stepCount))
  })

  it.each(['can', 'ece'] as const)('[GHOST-21] is to %s, in frames, pages and answers, like one who left', (name) => {
    expect(stepsOf('ghost', name)).toEqual(stepsOf('gone', name))
  })

  it('[GHOST-21] is seen by the others without the ban, so that the script would show a trace', () => {
    for (const name of ['can', 'ece'] as const) expect(stepsOf('free', name)).not.toEqual(stepsOf('gone', name))
    expect(runOf('ghost').people.hayal.files).not.toEqual([])
  })
})
