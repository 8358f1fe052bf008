import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { DocketError } from "../../../ground/error/docket-error.ts"
import type { ExactPackage, InstalledPackage } from "../../../ground/schema/index.ts"
import { checkLock } from "./check-lock.ts"
import { writeEntry } from "./import-package.ts"
import { writeInstalled } from "./installed-package.ts"
import { runNpm } from "./run-npm.ts"

/** ms, for each of the two steps. */
const longest = 5 * 60_000

const Manifest = z.looseObject({ name: z.string(), version: z.string() })

/**
 * Installs exactly the agreed package into an empty directory. First only the lock file is made and checked, then what it
 * lists is downloaded; npm compares each archive with its integrity. No script of any package runs.
 * @throws package_changed, package_unavailable, package_invalid
 */
export async function installInto(
  directory: string,
  agreed: ExactPackage,
  { env, clock }: { env: Readonly<Record<string, string | undefined>>; clock: () => number },
): Promise<InstalledPackage> {
  const { name, version, integrity } = agreed
  const manifest = { private: true, dependencies: { [name]: version } }
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest, null, 2))
  const run = { cwd: directory, env, timeout: longest }
  await runNpm(["install", "--package-lock-only"], run)
  const lock = await readFile(join(directory, "package-lock.json"), "utf8")
  checkLock(lock, agreed)
  await runNpm(["ci", "--package-lock-only=false"], run)
  const placed = Manifest.safeParse(
    JSON.parse(await readFile(join(directory, "node_modules", name, "package.json"), "utf8")),
  )
  if (placed.data?.name !== name || placed.data.version !== version) {
    throw new DocketError("package_invalid", `${name} was not installed: its archive holds another package.`)
  }
  await writeEntry(directory, name)
  const installed = { name, version, integrity, source: sourceOf(lock, name), time: { installed: clock() } }
  await writeInstalled(directory, installed)
  return installed
}

const Sources = z.looseObject({ packages: z.record(z.string(), z.looseObject({ resolved: z.string().optional() })) })

function sourceOf(lock: string, name: string): string {
  return Sources.parse(JSON.parse(lock)).packages[`node_modules/${name}`]?.resolved ?? ""
}
