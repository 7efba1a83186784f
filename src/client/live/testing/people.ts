import { person } from '../../../shared/accounts/testing/person.ts'

export const ada = person(1, 'ada')
/** Ada where no wait holds her up. */
export const exemptAda = person(1, 'ada', { role: 'rootadmin' })
