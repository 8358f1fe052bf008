import "./require-node-20.mjs"
import path from "node:path"
import { parseArgs } from "node:util"
import { prepare } from "./setup/prepare.mjs"
import { SetupProblem, stopWith } from "./setup/progress.mjs"
import { root } from "./setup/root.mjs"
import { run } from "./setup/run.mjs"

// npm run --silent release -- --out DIR: makes the files of a release and prints their paths.
try {
  const { out } = readOptions()
  const { node, env } = await prepare({ web: true, quiet: true })
  const make = [node, path.join(root, "packages/release/src/release.ts"), "--out", out]
  const { code, output } = await run(make, { cwd: root, env })
  if (code !== 0) throw new SetupProblem(`The release could not be made:\n\n${output.trim()}`)
  process.stdout.write(output)
} catch (error) {
  stopWith(error)
}

function readOptions() {
  try {
    const { values } = parseArgs({ options: { out: { type: "string" } } })
    if (values.out) return { out: path.resolve(process.env.INIT_CWD ?? process.cwd(), values.out) }
    throw new Error("--out DIR names the directory for the files of the release")
  } catch (error) {
    throw new SetupProblem(`npm run release -- --out DIR: ${error.message}`, 2)
  }
}
