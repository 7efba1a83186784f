import { testScreenAccessibility } from './accessible.ts'

testScreenAccessibility('phone')
