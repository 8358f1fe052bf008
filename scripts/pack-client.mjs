import "./require-node-20.mjs"
import path from "node:path"
import { prepare } from "./setup/prepare.mjs"
import { SetupProblem, stopWith } from "./setup/progress.mjs"
import { root } from "./setup/root.mjs"
import { run } from "./setup/run.mjs"

// npm run --silent pack-client -- [FOLDER]: packs the client into the tarball that other apps install, and prints its
// path.
try {
  const folder = path.resolve(process.env.INIT_CWD ?? process.cwd(), process.argv[2] ?? ".")
  const { pnpm, env } = await prepare({ web: false, quiet: true })
  const pack = [pnpm, "--filter", "@docket/client", "pack", "--json", "--pack-destination", folder]
  const { code, output } = await run(pack, { cwd: root, env })
  if (code !== 0) throw new SetupProblem(`The client could not be packed:\n\n${output.trim()}`)
  process.stdout.write(`${/"filename": *"([^"]+)"/.exec(output)?.[1] ?? folder}\n`)
} catch (error) {
  stopWith(error)
}
