// ES5 JavaScript, because an outdated Node must be able to run it.
const major = Number(process.versions.node.split('.')[0])

if (major < 24) {
  console.error(
    `Meydan needs Node 24, and this is ${process.version}. Node 24 comes with the dependencies: run "npm ci" first, ` +
      'and start everything through npm (npm start, npm test, npm run ...), which finds it by itself.',
  )
  process.exit(1)
}
