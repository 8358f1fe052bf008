import { existsSync } from "node:fs"
import path from "node:path"
import { fingerprint, readStamp, writeStamp } from "./fingerprint.mjs"
import { SetupProblem } from "./progress.mjs"
import { root } from "./root.mjs"
import { run } from "./run.mjs"

const stamp = "apps/web/.next/docket-build"
const isTest = /\.(test|test-d)\.tsx?$/

/**
 * Builds the web app when its sources, those of the packages or the lockfile have changed.
 * @param {import("./toolchain.mjs").Toolchain} toolchain
 * @param {(what: string) => void} announce
 * @param {{ givesWay?: boolean }} [options] givesWay: other work goes first
 */
export async function buildWeb(toolchain, announce, { givesWay = false } = {}) {
  const inputs = ["apps/web", "packages/api/src", "packages/client/src", "packages/core/src", "pnpm-lock.yaml"]
  const current = await fingerprint(inputs, (file) => !isTest.test(file) && !file.endsWith("next-env.d.ts"))
  const built = existsSync(path.join(root, "apps/web/.next/BUILD_ID"))
  if (built && (await readStamp(stamp)) === current) return "already built"
  announce("building (one to two minutes, after a change too)")
  const { code, output } = await build(toolchain, announce, givesWay)
  if (code !== 0)
    throw new SetupProblem(
      `The web app could not be built (npm start -- --no-web starts without it):\n\n${output.trim()}`,
    )
  await writeStamp(stamp, current)
  return "built"
}

/** What the built web app was built from. */
export const builtWeb = () => readStamp(stamp)

/**
 * Next runs only one build per folder. Waits for a build that was started by hand, or whose parent process was killed.
 */
async function build(toolchain, announce, givesWay) {
  const cwd = path.join(root, "apps/web")
  const command = [toolchain.node, path.join(cwd, "node_modules/next/dist/bin/next"), "build"]
  const env = { ...toolchain.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production", NO_COLOR: "1" }
  let told = false
  for (;;) {
    const built = await run(command, { cwd, env, givesWay })
    if (built.code === 0 || !/Another next build process is already running/.test(built.output)) return built
    if (!told) announce("waiting for another build of the web app in this folder (a next build) to end")
    told = true
  }
}
