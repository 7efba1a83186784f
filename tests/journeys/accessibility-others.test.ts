import { testAllScreens, testSomeScreens } from './screen-accessibility.ts'

testSomeScreens([undefined])
testAllScreens([undefined], { tags: 'deep' })
