import { person } from '../../../shared/accounts/testing/person.ts'

export const ada = person(1, 'ada')
