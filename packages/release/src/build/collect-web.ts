import { cp, mkdir, readdir, readlink, realpath } from "node:fs/promises"
import path from "node:path"

export interface CollectWebRequest {
  /** The checkout, absolute, with a built web app. */
  root: string
  /** The package's directory `web`, absolute. */
  directory: string
}

/** Native code for a feature of Next that no page uses; larger than all pages together. */
const leftOut = /^(?:sharp|@img\/.+|detect-libc)$/

/**
 * Copies the built web app and what it needs of Next. npm does not install links, and pnpm's directories consist of
 * them: each package is copied to where Node finds it without them.
 * @returns the copied packages: their directories in the checkout, absolute
 */
export async function collectWeb({ root, directory }: CollectWebRequest): Promise<ReadonlySet<string>> {
  const built = path.join(root, "apps/web/.next")
  const standalone = path.join(built, "standalone")
  const pages = path.join(directory, ".next")
  await copyFiles(path.join(standalone, "apps/web/.next"), pages, (file) => !file.includes("/.next/node_modules"))
  await copyFiles(path.join(built, "static"), path.join(pages, "static"))
  const packages = await readPackages(path.join(standalone, "node_modules/.pnpm"))
  const modules = path.join(directory, "node_modules")
  const shared = new Map<string, TracedPackage>()
  for (const one of packages) if (!shared.has(one.name)) shared.set(one.name, one)
  for (const one of shared.values()) await place(one, modules)
  // Bundled pages import packages by names of their own.
  const aliases = path.join(standalone, "apps/web/.next/node_modules")
  for (const alias of await entriesOf(aliases)) {
    const target = await realpath(path.join(aliases, alias))
    await copyFiles(target, path.join(pages, "node_modules", alias))
  }
  return new Set(packages.map(({ id, name }) => path.join(root, "node_modules/.pnpm", id, "node_modules", name)))

  async function place(one: TracedPackage, at: string, around: readonly TracedPackage[] = []): Promise<void> {
    const to = path.join(at, one.name)
    await copyFiles(one.directory, to)
    for (const { name, id } of one.needs) {
      // Another version than the shared one lies in the package that needs it.
      if (shared.get(name)?.id === id) continue
      const needed = packages.find((other) => other.name === name && other.id === id)
      if (needed !== undefined && !around.includes(needed))
        await place(needed, path.join(to, "node_modules"), [...around, one])
    }
  }
}

interface TracedPackage {
  name: string
  /** The name of its directory in pnpm's store: name, version and peers. */
  id: string
  directory: string
  needs: { name: string; id: string }[]
}

async function readPackages(store: string): Promise<TracedPackage[]> {
  const packages: TracedPackage[] = []
  for (const id of (await readdir(store)).sort()) {
    if (id === "node_modules") continue
    const modules = path.join(store, id, "node_modules")
    const own: string[] = []
    const needs: TracedPackage["needs"] = []
    for (const name of await packageNames(modules)) {
      if (leftOut.test(name)) continue
      const link = await readlink(path.join(modules, name)).catch(() => null)
      if (link === null) own.push(name)
      else
        needs.push({ name, id: path.relative(store, path.resolve(modules, name, "..", link)).split(path.sep)[0] ?? "" })
    }
    packages.push(...own.map((name) => ({ name, id, directory: path.join(modules, name), needs })))
  }
  return packages
}

/** The names of packages in a `node_modules`, with their scopes. */
async function packageNames(modules: string): Promise<string[]> {
  const names = await entriesOf(modules)
  const all = names.map(async (name) =>
    name.startsWith("@") ? (await entriesOf(path.join(modules, name))).map((inner) => `${name}/${inner}`) : [name],
  )
  return (await Promise.all(all)).flat().sort()
}

async function entriesOf(directory: string): Promise<string[]> {
  return await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return []
    throw error
  })
}

async function copyFiles(from: string, to: string, accept: (file: string) => boolean = () => true): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true })
  await cp(from, to, { recursive: true, filter: (file) => !/\.(?:map|nft\.json)$/.test(file) && accept(file) })
}
