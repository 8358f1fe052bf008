import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { z } from "zod"
import { DocketError } from "../../../ground/error/docket-error.ts"
import { readBoundedFile } from "../../../ground/file/read-bounded-file.ts"
import { type ExactPackage, InstalledPackage, type PackageFacts } from "../../../ground/schema/index.ts"
import { redactSecrets } from "../redact-secrets.ts"
import { checkLock } from "./check-lock.ts"
import { formatPackageSpec, isExactVersion, isPackageName, type PackageSpec, parsePackageSpec } from "./package-spec.ts"
import { type NpmRun, runNpm } from "./run-npm.ts"
import { usualPackage } from "./usual-packages.ts"

export interface ProviderPackagesDeps {
  /** Contains `packages`, with a directory for each version of a package. */
  dataDirectory: string
  /** npm uses it to find its configuration. */
  env: Readonly<Record<string, string | undefined>>
  clock: () => number
}

/**
 * The AI SDK provider packages that the user agreed to install. There are no other installations and no automatic
 * updates.
 */
export interface ProviderPackages {
  /** By name, the newest agreement first. */
  list(): Promise<InstalledPackage[]>
  /** The installed package for a spec; null when there is none. */
  find(spec: PackageSpec): Promise<InstalledPackage | null>
  /** @throws invalid_input, package_not_found, package_unavailable, package_invalid */
  lookUp(spec: string): Promise<PackageFacts>
  /**
   * Installs the package that `lookUp` returned and the user agreed to. @throws invalid_input, package_changed,
   * package_unavailable, package_invalid
   */
  install(agreed: ExactPackage): Promise<InstalledPackage>
  /** Models that already use the package go on until Docket restarts. */
  remove(name: string, version: string): Promise<void>
  /** Where an installed package lies, with its lock file and what it depends on. */
  directoryOf(installed: Pick<InstalledPackage, "name" | "version">): string
  /** The exports of an installed package. @throws package_invalid */
  load(installed: Pick<InstalledPackage, "name" | "version">): Promise<Record<string, unknown>>
}

/** What finds installed packages. */
export type FoundPackages = Pick<ProviderPackages, "find" | "directoryOf">

export function createProviderPackages({ dataDirectory, env, clock }: ProviderPackagesDeps): ProviderPackages {
  const root = join(dataDirectory, "packages")
  const directoryOf = ({ name, version }: Pick<ExactPackage, "name" | "version">) =>
    join(root, `${name.replace("/", "+")}@${version}`)
  let known: Promise<InstalledPackage[]> | null = null
  let working: Promise<unknown> = Promise.resolve()
  const list = () => {
    known ??= readAll(root)
    return known
  }
  /** Runs one change after another. */
  const change = <T>(work: () => Promise<T>): Promise<T> => {
    const next = working.then(work).finally(() => {
      known = null
    })
    working = next.catch(() => {})
    return next
  }
  return {
    list,
    async find({ name, version }) {
      const found = (await list()).filter((installed) => installed.name === name)
      return found.find((installed) => version === null || installed.version === version) ?? null
    },
    async lookUp(text) {
      const spec = parsePackageSpec(text)
      await makePrivate(root)
      const facts = await lookUpPackage(spec, { cwd: root, env })
      const installed = (await list()).some((other) => isSame(other, facts))
      return { ...facts, installed }
    },
    install: (agreed) =>
      change(async () => {
        assertExact(agreed)
        const installed = (await readAll(root)).find((other) => isSame(other, agreed))
        if (installed) return installed
        await makePrivate(root)
        await removeAbandoned(root, clock())
        const temporary = await mkdtemp(join(root, begun))
        try {
          const made = await installInto(temporary, agreed, { env, clock })
          return await putInPlace(temporary, directoryOf(agreed), made)
        } finally {
          await rm(temporary, { recursive: true, force: true })
        }
      }),
    remove: (name, version) =>
      change(async () => {
        assertExact({ name, version })
        await rm(directoryOf({ name, version }), { recursive: true, force: true })
      }),
    directoryOf,
    load: (installed) => importPackage(directoryOf(installed), installed),
  }
}

/** How the directory of an installation begins that is not in its place yet. */
const begun = ".new-"
/** ms after which such a one is what a killed service left: another service may be at work in a younger one. */
const abandonedMs = 60 * 60_000

async function removeAbandoned(root: string, now: number): Promise<void> {
  const left = (await readdir(root)).filter((name) => name.startsWith(begun)).map((name) => join(root, name))
  for (const directory of left) {
    const changed = (await stat(directory).catch(() => null))?.mtimeMs ?? now
    if (now - changed > abandonedMs) await rm(directory, { recursive: true, force: true })
  }
}

/** Checks the parts of the directory's name. */
function assertExact({ name, version }: Pick<ExactPackage, "name" | "version">): void {
  if (isPackageName(name) && isExactVersion(version)) return
  throw new DocketError(
    "invalid_input",
    `"${formatPackageSpec({ name, version })}" is not an exact version of a package.`,
  )
}

function isSame(one: ExactPackage, other: ExactPackage): boolean {
  return one.name === other.name && one.version === other.version && one.integrity === other.integrity
}

/** Moves a new installation into place. The same package installed meanwhile stays; a different or incomplete one goes. */
async function putInPlace(temporary: string, place: string, made: InstalledPackage): Promise<InstalledPackage> {
  try {
    await rename(temporary, place)
    return made
  } catch (error) {
    const there = await readInstalled(place)
    if (there !== null && isSame(there, made)) return there
    await rm(place, { recursive: true, force: true })
    await rename(temporary, place).catch(() => {
      throw error
    })
    return made
  }
}

async function readAll(root: string): Promise<InstalledPackage[]> {
  const names = await readdir(root).catch(() => [])
  const found = await Promise.all(
    names.filter((name) => !name.startsWith(".")).map((name) => readInstalled(join(root, name))),
  )
  return found
    .filter((installed) => installed !== null)
    .sort((a, b) => a.name.localeCompare(b.name) || b.time.installed - a.time.installed)
}

/** What the registry is asked for. */
const viewedFields = [
  "name",
  "version",
  "dist",
  "description",
  "license",
  "repository",
  "deprecated",
  "dependencies",
  "scripts",
]

const Text = z.string().transform((text) => text.slice(0, 1_000))
const Manifest = z.object({
  name: z.string(),
  version: z.string().refine(isExactVersion),
  dist: z.object({ integrity: z.string().min(1), tarball: z.url({ protocol: /^https?$/ }) }),
  description: Text.nullish().catch(null),
  license: Text.nullish().catch(null),
  repository: z
    .union([Text, z.object({ url: Text }).transform(({ url }) => url)])
    .nullish()
    .catch(null),
  deprecated: Text.nullish().catch(null),
  dependencies: z.record(z.string(), z.string()).nullish().catch(null),
  scripts: z.record(z.string(), z.unknown()).nullish().catch(null),
})

/** ms */
const lookUpTimeout = 60_000

/**
 * Asks the registry for a package. Downloads no code. @throws package_not_found, package_unavailable, package_invalid
 */
async function lookUpPackage(
  spec: PackageSpec,
  run: Omit<NpmRun, "timeout">,
): Promise<Omit<PackageFacts, "installed">> {
  const output = await runNpm(["view", formatPackageSpec(spec), ...viewedFields], { ...run, timeout: lookUpTimeout })
  const manifest = Manifest.safeParse(parseView(output))
  if (!manifest.success || manifest.data.name !== spec.name) {
    const message = `The registry says too little of ${formatPackageSpec(spec)} to install it: its exact version, address and integrity are needed.`
    throw new DocketError("package_invalid", message)
  }
  const { name, version, dist, description, license, repository, deprecated, dependencies, scripts } = manifest.data
  return {
    name,
    version,
    integrity: dist.integrity,
    source: dist.tarball,
    description: description ?? null,
    license: license ?? null,
    repository: repository ?? null,
    deprecated: deprecated ?? null,
    dependencies: Object.keys(dependencies ?? {}),
    hasInstallScripts: ["preinstall", "install", "postinstall"].some((script) => script in (scripts ?? {})),
    usual: usualPackage(name)?.title ?? null,
  }
}

/** npm returns a list when several versions match. */
function parseView(output: string): unknown {
  try {
    const parsed: unknown = JSON.parse(output)
    return Array.isArray(parsed) ? parsed.at(-1) : parsed
  } catch {
    return null
  }
}

/** ms for each of the two steps. */
const installTimeout = 5 * 60_000

const PlacedManifest = z.looseObject({ name: z.string(), version: z.string() })

/**
 * Installs exactly the agreed package into an empty directory. First only the lock file is created and checked, then
 * its packages are downloaded; npm checks the integrity of each archive. No package scripts run.
 * @throws package_changed, package_unavailable, package_invalid
 */
async function installInto(
  directory: string,
  agreed: ExactPackage,
  { env, clock }: { env: Readonly<Record<string, string | undefined>>; clock: () => number },
): Promise<InstalledPackage> {
  const { name, version, integrity } = agreed
  const manifest = { private: true, dependencies: { [name]: version } }
  await writeFile(join(directory, "package.json"), JSON.stringify(manifest, null, 2))
  const run = { cwd: directory, env, timeout: installTimeout }
  await runNpm(["install", "--package-lock-only"], run)
  const lock = await readFile(join(directory, "package-lock.json"), "utf8")
  checkLock(lock, agreed)
  await runNpm(["ci", "--package-lock-only=false"], run).catch(async (error: unknown) => {
    // Some packages name optional ones for other machines that do not exist: npm takes their lock file for incomplete.
    if (!(error instanceof DocketError) || !error.message.includes("in sync")) throw error
    await runNpm(["install", "--package-lock-only=false"], run)
    checkLock(await readFile(join(directory, "package-lock.json"), "utf8"), agreed)
  })
  const placed = PlacedManifest.safeParse(
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

/** What the user agreed to; stored beside package.json, the lock file and node_modules. */
const agreedFile = "agreed.json"
/** Most bytes of that file. */
const sizeLimit = 100_000

/** The package installed in a directory; null when there is none or it is incomplete. */
async function readInstalled(directory: string): Promise<InstalledPackage | null> {
  try {
    const text = (await readBoundedFile(join(directory, agreedFile), sizeLimit)).toString("utf8")
    return InstalledPackage.parse(JSON.parse(text))
  } catch {
    return null
  }
}

async function writeInstalled(directory: string, installed: InstalledPackage): Promise<void> {
  await writeFile(join(directory, agreedFile), `${JSON.stringify(installed, null, 2)}\n`, { mode: 0o600 })
}

/** Creates a directory that only its owner can enter. */
async function makePrivate(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
}

const entryFile = "entry.mjs"

/** Imports the package from its place, so that Node finds its entry by the rules of `import`. */
async function writeEntry(directory: string, name: string): Promise<void> {
  await writeFile(join(directory, entryFile), `export * as exports from ${JSON.stringify(name)}\n`)
}

/** Runs the package's code. @throws package_invalid */
async function importPackage(
  directory: string,
  { name, version }: Pick<InstalledPackage, "name" | "version">,
): Promise<Record<string, unknown>> {
  try {
    const address = pathToFileURL(join(directory, entryFile)).href
    const { exports }: { exports: Record<string, unknown> } = await import(address)
    return exports
  } catch (cause) {
    const reason = redactSecrets(cause instanceof Error ? cause.message : String(cause)).slice(0, 400)
    const message = `The package ${name}@${version} cannot be loaded: ${reason} Remove it in Settings and install another version.`
    throw new DocketError("package_invalid", message, { cause })
  }
}
