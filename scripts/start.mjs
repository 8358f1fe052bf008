import "./require-node-20.mjs"
import { checkStart } from "./setup/check-start.mjs"
import { handOver } from "./setup/hand-over.mjs"
import { prepare } from "./setup/prepare.mjs"
import { stopWith } from "./setup/progress.mjs"

const args = process.argv.slice(2)

try {
  const options = await checkStart(args, "npm start --")
  if (options === null) process.exit(0)
  const toolchain = await prepare({ web: options.web })
  handOver(toolchain, "apps/server/src/main.js", args)
} catch (error) {
  stopWith(error)
}
