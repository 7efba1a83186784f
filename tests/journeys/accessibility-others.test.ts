import { testScreenAccessibility } from './screen-accessibility.ts'

testScreenAccessibility([undefined])
