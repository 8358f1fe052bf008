import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readFile } from "node:fs/promises"
import path from "node:path"
import { compare } from "semver"
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
  /** The address of the service that runs on the data directory; null for none. */
  runningService(data: string): Promise<string | null>
  /** Resolves with the exit code. */
  backUp(file: string): Promise<number>
  /** Runs npm, whose output the user sees. Resolves with the exit code. */
  npm(args: readonly string[], directory?: string): Promise<number>
  say(line: string): void
  now(): Date
}

/**
 * Puts another version in the place of this one, after a backup of the data directory.
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
    const running = await deps.runningService(data)
    if (running !== null)
      throw new UsageError(`Docket runs at ${running}. Stop it first: its files are replaced, and it would miss them.`)
    const backup = await backUpBefore(deps, next, data)
    const code = await deps.npm(["install", ...place.args, "--no-audit", "--no-fund", fetched.file], place.directory)
    if (code !== 0) throw new UsageError(`npm could not install Docket ${next}; what it printed says why.`)
    deps.say(`Docket ${version} is ${next} now. Start it as before.`)
    if (backup !== null) deps.say(`To go back: install ${version}, then docket restore --replace ${backup}`)
    return 0
  } finally {
    await fetched.remove()
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
