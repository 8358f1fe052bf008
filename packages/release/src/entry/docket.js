#!/usr/bin/env node
// JavaScript that old versions of Node can parse, without imports here: a user with an old Node gets a clear message.
const needed = 24

if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `docket: needs Node ${needed} or newer, and this is Node ${process.versions.node}. Without installing it: npx --yes --package=node@${needed} -- docket\n`,
  )
  process.exitCode = 2
} else start()

async function start() {
  const { keepCompiledCode } = await import("../dist/keep-compiled-code.js")
  keepCompiledCode()
  await import("../dist/docket.js")
}
