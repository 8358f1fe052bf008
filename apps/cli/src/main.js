#!/usr/bin/env node
// JavaScript that any Node of the last years reads, without imports up here: an old one is told what is needed.
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
  // Before anything else is loaded: the next command then reads compiled code instead of source. This file is JavaScript
  // because it is read without that cache: for one with types, Node loads its compiler, which takes longer than the rest.
  enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/docket-compile", import.meta.url)))
  await import("./docket.ts")
}
