import "./require-node-20.mjs"
import { checkStart } from "./setup/check-start.mjs"
import { handOver } from "./setup/hand-over.mjs"
import { prepareBuild } from "./setup/prepare.mjs"
import { stopWith } from "./setup/progress.mjs"

const args = process.argv.slice(2)

try {
  const options = await checkStart(args, "npm start --")
  if (options === null) process.exit(0)
  const { toolchain, directory, webFollows } = await prepareBuild({ web: options.web })
  handOver(toolchain, `${directory}/dist/server.js`, args, webFollows)
} catch (error) {
  stopWith(error)
}
