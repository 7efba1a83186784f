/** What a kind of action is called, and which type of the specification's action log it has. */
export interface ActionKindSpec {
  /** Turkish, in the past tense, after the name of the actor: 'Odadan yasakladı'. */
  label: string
  /** Type in the action log of a profile (specification 1, point 3); 'other' without it. */
  logType?: 'ban' | 'system_ban' | 'other'
  /** Turkish labels of the entry's details, by their names; details without a label are not shown. */
  details?: Readonly<Record<string, string>>
  /** Turkish labels of values of its details; other values are shown as they are. */
  values?: Readonly<Record<string, string>>
}

/** Details of an action: small values without names of persons, which would stay when an account is erased. */
export type ActionDetails = Readonly<Record<string, string | number | boolean | null>>
