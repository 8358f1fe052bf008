import { existsSync } from "node:fs"
import path from "node:path"
import { fingerprint, readStamp, writeStamp } from "./fingerprint.mjs"
import { SetupProblem } from "./progress.mjs"
import { root } from "./root.mjs"
import { run } from "./run.mjs"

/** What was installed: everything, or what the build needs. */
const stamps = { all: ".docket/packages", build: ".docket/build-packages" }
const onlyBuild = ["--prod", "--filter", "@docket/release..."]

/**
 * Installs the packages of pnpm-lock.yaml, when it or a package.json has changed since the last time.
 * @param {import("./toolchain.mjs").Toolchain} toolchain
 * @param {(what: string) => void} announce
 * @param {{ forBuild?: boolean }} [options] forBuild: only what the build needs, unless everything was installed before
 */
export async function installPackages(toolchain, announce, { forBuild = false } = {}) {
  const current = await fingerprint(
    ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "apps", "packages", "prisma", "e2e", "bench"],
    (file) => !file.includes("/") || file.endsWith("/package.json"),
  )
  const installed = existsSync(path.join(root, "node_modules/.modules.yaml"))
  const all = installed ? await readStamp(stamps.all) : null
  if (all === current) return "already installed"
  const part = forBuild && all === null
  if (part && installed && (await readStamp(stamps.build)) === current) return "already installed"
  announce("installing (about a minute the first time, a second or two later)")
  const install = [toolchain.pnpm, "install", "--frozen-lockfile", "--prefer-offline", ...(part ? onlyBuild : [])]
  const { code, output } = await run(install, {
    cwd: root,
    env: { ...toolchain.env, CI: "true" },
  })
  if (code !== 0) throw new SetupProblem(explain(output))
  await writeStamp(part ? stamps.build : stamps.all, current)
  return "installed"
}

function explain(output) {
  const tail = output.trim().split("\n").slice(-15).join("\n")
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_PNPM_META_FETCH_FAIL/.test(output))
    return `The first start needs the network: the npm registry could not be reached.\n\n${tail}`
  if (/ENOSPC/.test(output)) return `The disk is full: about 1.5 GB is needed for packages.\n\n${tail}`
  return `pnpm could not install the packages:\n\n${tail}`
}
