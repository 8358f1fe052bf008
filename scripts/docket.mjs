import "./require-node-20.mjs"
import { handOver } from "./setup/hand-over.mjs"
import { prepare } from "./setup/prepare.mjs"
import { stopWith } from "./setup/progress.mjs"

const args = process.argv.slice(2)

try {
  const serves = args[0] === "serve"
  const toolchain = await prepare({ web: serves && !args.includes("--no-web"), quiet: !serves })
  handOver(toolchain, "apps/cli/src/main.js", args)
} catch (error) {
  stopWith(error)
}
