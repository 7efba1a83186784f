/** Something that one feature offers to the kernel and to other features. */
export class Service<T> {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  providedBy(value: T): ProvidedService {
    return { service: this, value }
  }
}

export interface ProvidedService {
  service: { readonly name: string }
  value: unknown
}

/** What a feature provides. Throws before all features are created, and when none provides it. */
export type FindService = <T>(service: Service<T>) => T
