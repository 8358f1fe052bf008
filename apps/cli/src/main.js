#!/usr/bin/env node
// JavaScript that old versions of Node can parse, without imports here: a user with an old Node gets a clear message.
const needed = 24

if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `docket: needs Node ${needed} or newer, and this is Node ${process.versions.node}: install a newer one (https://nodejs.org), or use "npm start" in the checkout of Docket, which fetches it.\n`,
  )
  process.exitCode = 2
} else start()

async function start() {
  const { enableCompileCache } = await import("node:module")
  const { fileURLToPath } = await import("node:url")
  // Before anything else is loaded, so that the next command reads compiled code instead of source. This file itself is
  // read without that cache. It is plain JavaScript because loading Node's compiler for types would take longer than
  // the rest.
  enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/docket-compile", import.meta.url)))
  await import("./docket.ts")
}
