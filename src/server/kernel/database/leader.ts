/** The holder of the lease, according to LiteFS. `url`: the base URL of the primary's site, where it accepts links. */
export type Leader = { is: 'self' } | { is: 'other'; url: string } | { is: 'nobody' }
