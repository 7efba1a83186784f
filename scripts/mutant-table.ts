/** A fault in the code, and the tests of `npm test` that must fail with it. */
export interface Mutant {
  file: string
  /** Text that stands once in the file. */
  find: string
  replace: string
  tests: readonly string[]
}

/** Over all features; the rows marked so were caught by deep tests alone before there were two tiers. */
export const mutants: readonly Mutant[] = []
