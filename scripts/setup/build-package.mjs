import { readdir, rm, stat, utimes } from "node:fs/promises"
import path from "node:path"
import { builtWeb } from "./build-web.mjs"
import { fingerprint, readStamp, writeStamp } from "./fingerprint.mjs"
import { SetupProblem } from "./progress.mjs"
import { root } from "./root.mjs"
import { run } from "./run.mjs"

/** Builds of the programs, in directories that are named by their inputs. */
const builds = ".docket/builds"
/** How many builds stay: a service that still runs an earlier one loads parts of it later. */
const kept = 3
const isTest = /\.test\.|\/(?:test|contract)\//

/**
 * Builds command line and service as they are installed elsewhere, when their sources have changed.
 * @param {import("./toolchain.mjs").Toolchain} toolchain
 * @param {(what: string) => void} announce
 * @returns {Promise<{ directory: string, said: string }>} `directory` is relative to the repository
 */
export async function buildPrograms(toolchain, announce) {
  const inputs = ["apps/cli", "apps/server", "packages", "prisma", "package.json", "pnpm-lock.yaml"]
  const current = await fingerprint(inputs, (file) => !isTest.test(file) && !file.endsWith(".md"))
  const directory = `${builds}/${current.slice(0, 16)}`
  const stamp = `${directory}/complete`
  if ((await readStamp(stamp)) !== null) {
    const now = new Date()
    await utimes(path.join(root, directory), now, now)
    return { directory, said: "already built" }
  }
  announce("building (a few seconds, after a change too)")
  await rm(path.join(root, directory), { recursive: true, force: true })
  await build(toolchain, ["--directory", directory])
  await writeStamp(stamp, current)
  await removeOld()
  return { directory, said: "built" }
}

/**
 * Puts the built web app beside the programs.
 * @param {import("./toolchain.mjs").Toolchain} toolchain
 * @param {string} directory as `buildPrograms` returned it
 */
export async function addWeb(toolchain, directory) {
  const current = await builtWeb()
  const stamp = `${directory}/web-build`
  if ((await readStamp(stamp)) === current) return
  await build(toolchain, ["--directory", directory, "--web"])
  await writeStamp(stamp, current)
}

async function build({ node, env }, args) {
  const { code, output } = await run([node, path.join(root, "packages/release/src/build.ts"), ...args], {
    cwd: root,
    env,
  })
  if (code !== 0) throw new SetupProblem(`The programs could not be built:\n\n${output.trim()}`)
}

async function removeOld() {
  const names = await readdir(path.join(root, builds))
  const all = await Promise.all(
    names.map(async (name) => ({ name, used: (await stat(path.join(root, builds, name))).mtimeMs })),
  )
  const old = all.sort((a, b) => b.used - a.used).slice(kept)
  await Promise.all(old.map(({ name }) => rm(path.join(root, builds, name), { recursive: true, force: true })))
}
