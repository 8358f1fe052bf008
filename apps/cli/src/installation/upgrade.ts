import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readFile } from "node:fs/promises"
import path from "node:path"
import { visibleText } from "@docket/core/rule"
import { compare } from "semver"
import type { LiveServer } from "../connect/live-server.ts"
import { exitCode } from "../exit-code.ts"
import { UsageError } from "../usage-error.ts"
import { fetchPackage } from "./fetch-package.ts"
import type { Installation } from "./find-installation.ts"
import { versionIn } from "./read-package-file.ts"

export interface UpgradeRequest {
  /** A file or an address. */
  from: string
  /** SHA-256 that the package must have, hex; null for any. */
  sha256: string | null
  /** The version that runs now. */
  version: string
  installation: Installation
  /** Absolute; it may not be there yet. */
  data: string
}

export interface UpgradeDeps {
  /** The service that runs on the data directory; null for none. */
  runningService(data: string): Promise<Pick<LiveServer, "url" | "process"> | null>
  /** Resolves with the exit code. */
  backUp(file: string): Promise<number>
  /** Runs npm, whose output the user sees. Resolves with the exit code. */
  npm(args: readonly string[], directory?: string): Promise<number>
  /**
   * Installs a package somewhere else and starts its program. Resolves with the version that it says; rejects when it
   * does not start.
   */
  tryPackage(file: string): Promise<string>
  say(line: string): void
  complain(line: string): void
  now(): Date
}

/**
 * Puts another version in the place of this one, after its program was tried and the data directory backed up.
 * @returns the exit code
 * @throws UsageError
 */
export async function upgrade(deps: UpgradeDeps, request: UpgradeRequest): Promise<number> {
  const { installation, version, data } = request
  const place = placeOf(installation, request.from)
  const fetched = await fetchPackage(request.from)
  try {
    const next = await versionIn(fetched.file)
    if (request.sha256 !== null) await requireSum(fetched.file, request.sha256)
    const order = compare(next, version)
    if (order === 0) {
      deps.say(`Docket ${version} is installed already.`)
      return 0
    }
    if (order < 0)
      throw new UsageError(
        `${request.from} is Docket ${next}, and this is ${version}: an older version cannot read what a newer one wrote. To go back, install it with npm, and restore the backup that was made before the upgrade (docket restore).`,
      )
    await requireStopped(deps, data)
    deps.say(`Trying Docket ${next} in a directory of its own. npm may take a minute or two.`)
    const fault = await faultOf(deps, fetched.file, next)
    if (fault !== null) {
      deps.complain(`Docket ${next} does not start, so ${version} stays: ${fault}`)
      return exitCode.failed
    }
    const backup = await backUpBefore(deps, next, data)
    deps.say(`It starts. Installing it in the place of ${version}.`)
    const args = ["install", ...place.args, "--prefer-offline", "--no-audit", "--no-fund", fetched.file]
    const code = await deps.npm(args, place.directory)
    if (code !== 0) throw new UsageError(`npm could not install Docket ${next}; what it printed says why.`)
    deps.say(`Docket ${version} is ${next} now. Start it as before.`)
    if (backup !== null) deps.say(`To go back: install ${version}, then docket restore --replace ${backup}`)
    return 0
  } finally {
    await fetched.remove()
  }
}

/** A running service would miss the files that npm replaces or removes. @throws UsageError */
export async function requireStopped({ runningService }: Pick<UpgradeDeps, "runningService">, data: string) {
  const running = await runningService(data)
  if (running === null) return
  const { url, process } = running
  throw new UsageError(
    `Docket runs at ${url} (process ${process}). Stop it first: Ctrl-C where it runs, or kill ${process}`,
  )
}

/** Why the program of a package cannot take the place of this one; null when it can. */
async function faultOf(deps: UpgradeDeps, file: string, next: string): Promise<string | null> {
  try {
    const said = await deps.tryPackage(file)
    return said === next ? null : `it says that it is "${visibleText(said)}"`
  } catch (cause) {
    return visibleText(cause instanceof Error ? cause.message : String(cause))
  }
}

interface Place {
  args: readonly string[]
  directory?: string
}

/** Where npm installs. @throws UsageError where something else has to be done */
export function placeOf(installation: Installation, from = "FILE"): Place {
  switch (installation.kind) {
    case "global":
      return { args: ["--global", "--prefix", installation.prefix] }
    case "local":
      return { args: [], directory: installation.directory }
    case "npx":
      throw new UsageError(
        `npx fetched this Docket for one call, and installed nothing. Call the other one: npx ${from}`,
      )
    case "checkout":
      throw new UsageError(
        `this Docket runs from a checkout (${installation.root}). Use git pull there, and npm start.`,
      )
  }
}

async function backUpBefore(deps: UpgradeDeps, next: string, data: string): Promise<string | null> {
  if (!existsSync(path.join(data, "database.json"))) return null
  const directory = path.join(data, "upgrades")
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const time = deps.now().toISOString().replaceAll(/[:.]/g, "-")
  const file = path.join(directory, `before-${next}-${time}.docket`)
  if ((await deps.backUp(file)) === 0) return file
  throw new UsageError("the backup could not be made, so nothing was changed.")
}

async function requireSum(file: string, sha256: string): Promise<void> {
  const sum = createHash("sha256")
    .update(await readFile(file))
    .digest("hex")
  if (sum !== sha256.toLowerCase())
    throw new UsageError(`the package has the SHA-256 ${sum}, not ${sha256}: it is not the one that you mean.`)
}
