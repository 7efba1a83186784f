import { testScreenAccessibility } from './accessible.ts'

testScreenAccessibility('desktop')
