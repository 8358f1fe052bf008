#!/usr/bin/env node
// JavaScript that old versions of Node can parse, without imports here: a user with an old Node gets a clear message.
const [major, minor] = process.versions.node.split(".").map(Number)

if (major > 24 || (major === 24 && minor >= 7)) start()
else {
  process.stderr.write(
    `docket: needs Node 24.7 or newer, and this is Node ${process.versions.node}: npx --yes --package=node@24 -- node "${process.argv[1]}" runs it with one.\n`,
  )
  process.exitCode = 2
}

async function start() {
  const { keepCompiledCode } = await import("../dist/keep-compiled-code.js")
  keepCompiledCode()
  await import("../dist/docket.js")
}
