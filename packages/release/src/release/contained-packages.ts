import { readdir, readFile, realpath } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"

/** A package of others, of which the release contains code. */
export interface ContainedPackage {
  name: string
  version: string
  /** As its package.json says: an SPDX expression, if it keeps to the rules. */
  license: string
  /** An address. */
  homepage: string | null
  /** Its licences and notices, word for word. */
  texts: string[]
}

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]).optional(),
  homepage: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
})
type Manifest = z.infer<typeof Manifest>

const isLegal = /^(?:licen[cs]e|copying|notice|third.?party.?notices)/i

/** The directories of the packages that the modules belong to. @param modules absolute paths or virtual names */
export function packagesOf(modules: Iterable<string>): Set<string> {
  const directories = new Set<string>()
  for (const module of modules) {
    const [, directory] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module) ?? []
    if (directory !== undefined) directories.add(directory)
  }
  return directories
}

/**
 * The packages that a directory of a package depends on at run time, and those that these depend on: absolute, real.
 * What is not installed here is left out.
 */
export async function dependenciesOf(directory: string, found = new Set<string>()): Promise<Set<string>> {
  const { dependencies } = await readManifest(directory)
  for (const name of Object.keys(dependencies)) {
    const at = await installedAt(directory, name)
    if (at === null || found.has(at)) continue
    found.add(at)
    await dependenciesOf(at, found)
  }
  return found
}

async function installedAt(directory: string, name: string): Promise<string | null> {
  for (let at = directory; at !== path.dirname(at); at = path.dirname(at)) {
    const real = await realpath(path.join(at, "node_modules", name)).catch(() => null)
    if (real !== null) return real
  }
  return null
}

/**
 * Reads the packages in these directories, each once, in order of their names.
 * @param directories absolute; ours are left out
 * @throws Error that names a package without a licence
 */
export async function readPackages(directories: Iterable<string>): Promise<ContainedPackage[]> {
  const packages = new Map<string, ContainedPackage>()
  for (const directory of directories) {
    if (!directory.includes("/node_modules/")) continue
    const manifest = await readManifest(directory)
    const key = `${manifest.name}@${manifest.version}`
    if (packages.has(key)) continue
    const texts = await readTexts(directory)
    const license = manifest.license ?? licenseIn(texts)
    if (license === null) throw new Error(`${key} has no licence that can be named: it may not be in a release.`)
    const { name, version, homepage = null } = manifest
    packages.set(key, { name, version, license, homepage, texts })
  }
  return [...packages.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}

async function readManifest(directory: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(path.join(directory, "package.json"), "utf8")))
}

async function readTexts(directory: string): Promise<string[]> {
  const files = await readdir(directory, { withFileTypes: true })
  const legal = files.filter((file) => file.isFile() && isLegal.test(file.name)).map(({ name }) => name)
  return await Promise.all(legal.sort().map((name) => readFile(path.join(directory, name), "utf8")))
}

function licenseIn(texts: readonly string[]): string | null {
  return texts.some((text) => /^\s*(?:The )?MIT License/i.test(text)) ? "MIT" : null
}
