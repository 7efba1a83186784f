import { testScreenAccessibility } from './screen-accessibility.ts'

testScreenAccessibility(['guest', 'nobody'])
