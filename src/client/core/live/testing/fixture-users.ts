import { createPerson } from '../../../../shared/accounts/testing/person-fixture.ts'

export const ADA = createPerson(1, 'ada')
/** Ada as a root admin, who has no waits. */
export const ADA_AS_ROOT_ADMIN = createPerson(1, 'ada', { role: 'rootadmin' })
