import "./require-node-20.mjs"
import { checkStart } from "./setup/check-start.mjs"
import { handOver } from "./setup/hand-over.mjs"
import { prepareBuild } from "./setup/prepare.mjs"
import { stopWith } from "./setup/progress.mjs"

const args = process.argv.slice(2)

try {
  const serves = args[0] === "serve"
  const options = serves ? await checkStart(args.slice(1), "docket serve") : null
  if (serves && options === null) process.exit(0)
  const { toolchain, directory, webFollows } = await prepareBuild({ web: options?.web ?? false, quiet: !serves })
  await webFollows
  handOver(toolchain, `${directory}/bin/docket.js`, args)
} catch (error) {
  stopWith(error)
}
