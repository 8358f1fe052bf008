import { mkdtemp, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { DocketError } from "../../../ground/error/docket-error.ts"
import type { ExactPackage, InstalledPackage, PackageFacts } from "../../../ground/schema/index.ts"
import { importPackage } from "./import-package.ts"
import { installInto } from "./install-into.ts"
import { makePrivate, readInstalled } from "./installed-package.ts"
import { lookUpPackage } from "./look-up-package.ts"
import { formatPackageSpec, isExactVersion, isPackageName, type PackageSpec, parsePackageSpec } from "./package-spec.ts"

export interface ProviderPackagesDeps {
  /** Holds `packages`, a directory for each version of a package. */
  dataDirectory: string
  /** npm finds its configuration by it. */
  env: Readonly<Record<string, string | undefined>>
  clock: () => number
}

/** The AI SDK provider packages that the user agreed to install. Nothing else installs, and nothing is updated by itself. */
export interface ProviderPackages {
  /** By name, the newest agreement first. */
  list(): Promise<InstalledPackage[]>
  /** The one that a spec means; null when it is not installed. */
  find(spec: PackageSpec): Promise<InstalledPackage | null>
  /** @throws invalid_input, package_not_found, package_unavailable, package_invalid */
  lookUp(spec: string): Promise<PackageFacts>
  /** Installs what `lookUp` told and the user agreed to. @throws invalid_input, package_changed, package_unavailable, package_invalid */
  install(agreed: ExactPackage): Promise<InstalledPackage>
  /** What runs already goes on until Docket is started again. */
  remove(name: string, version: string): Promise<void>
  /** The exports of an installed one. @throws package_invalid */
  load(installed: Pick<InstalledPackage, "name" | "version">): Promise<Record<string, unknown>>
}

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
  /** One change after the other. */
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
      const installed = (await list()).some((known) => isSame(known, facts))
      return { ...facts, installed }
    },
    install: (agreed) =>
      change(async () => {
        assertExact(agreed)
        const installed = (await readAll(root)).find((other) => isSame(other, agreed))
        if (installed) return installed
        await makePrivate(root)
        const temporary = await mkdtemp(join(root, ".new-"))
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
    load: (installed) => importPackage(directoryOf(installed), installed),
  }
}

/** The directory's name is made of it. */
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

/** Two that installed the same at once end with one of the two. */
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
