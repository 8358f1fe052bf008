import { existsSync } from "node:fs"
import path from "node:path"
import { fingerprint, readStamp, writeStamp } from "./fingerprint.mjs"
import { SetupProblem } from "./progress.mjs"
import { root } from "./root.mjs"
import { run } from "./run.mjs"

const stamp = ".docket/packages"

/**
 * Installs the packages of pnpm-lock.yaml, when it or a package.json has changed since the last time.
 * @param {import("./toolchain.mjs").Toolchain} toolchain
 * @param {(what: string) => void} announce
 */
export async function installPackages(toolchain, announce) {
  const current = await fingerprint(
    ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "apps", "packages", "prisma", "e2e", "bench"],
    (file) => !file.includes("/") || file.endsWith("/package.json"),
  )
  const installed = existsSync(path.join(root, "node_modules/.modules.yaml"))
  if (installed && (await readStamp(stamp)) === current) return "already installed"
  announce("installing (about a minute the first time, a second or two later)")
  const { code, output } = await run([toolchain.pnpm, "install", "--frozen-lockfile", "--prefer-offline"], {
    cwd: root,
    env: { ...toolchain.env, CI: "true" },
  })
  if (code !== 0) throw new SetupProblem(explain(output))
  await writeStamp(stamp, current)
  return "installed"
}

function explain(output) {
  const tail = output.trim().split("\n").slice(-15).join("\n")
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_PNPM_META_FETCH_FAIL/.test(output))
    return `The first start needs the network: the npm registry could not be reached.\n\n${tail}`
  if (/ENOSPC/.test(output)) return `The disk is full: about 1.5 GB is needed for packages.\n\n${tail}`
  return `pnpm could not install the packages:\n\n${tail}`
}
