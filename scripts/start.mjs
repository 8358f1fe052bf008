import "./require-node-20.mjs"
import { handOver } from "./setup/hand-over.mjs"
import { prepare } from "./setup/prepare.mjs"
import { stopWith } from "./setup/progress.mjs"

const args = process.argv.slice(2)

try {
  const toolchain = await prepare({ web: !args.includes("--no-web") && !args.includes("--help") })
  handOver(toolchain, "apps/server/src/main.js", args)
} catch (error) {
  stopWith(error)
}
