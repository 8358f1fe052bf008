import { chmod, copyFile, cp, mkdir, realpath, rename, rm, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { bundlePrograms } from "./bundle-programs.ts"
import { collectWeb } from "./collect-web.ts"
import { readDependencies, readProduct } from "./product.ts"

/** The package that users install: command line, service and web app, as files that run without a checkout. */
export interface PackageRequest {
  /** The checkout, absolute. */
  root: string
  /** Where the package's files go, absolute. */
  directory: string
}

/**
 * Writes command line and service.
 * @returns the modules in the bundle, absolute
 */
export async function buildPrograms({ root, directory }: PackageRequest): Promise<ReadonlySet<string>> {
  await mkdir(path.join(directory, "bin"), { recursive: true })
  const modules = await bundlePrograms({ root, directory: path.join(directory, "dist") })
  const command = path.join(directory, "bin/docket.js")
  await copyFile(path.join(root, "packages/release/src/entry/docket.js"), command)
  await chmod(command, 0o755)
  await cp(path.join(root, "prisma/migrations"), path.join(directory, "migrations"), { recursive: true })
  const { name, version, description, license } = await readProduct(root)
  const manifest = {
    ...{ name, version, description, license, type: "module" },
    bin: { docket: "bin/docket.js" },
    engines: { node: ">=24.7" },
    dependencies: await readDependencies(root),
  }
  await writeFile(path.join(directory, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  return modules
}

/**
 * Writes the web app, which has to be built, in place of an earlier one.
 * @returns the packages of Next that were copied, absolute
 */
export async function buildWeb({ root, directory }: PackageRequest): Promise<ReadonlySet<string>> {
  const [web, next, former] = ["web", "web.next", "web.former"].map((name) => path.join(directory, name)) as Three
  await rm(next, { recursive: true, force: true })
  const packages = await collectWeb({ root, directory: next })
  await rename(web, former).catch(ignoreMissing)
  await rename(next, web)
  await rm(former, { recursive: true, force: true })
  return packages
}
type Three = [string, string, string]

/** Lets the package find in a checkout what npm would install beside it. */
export async function linkDependencies({ root, directory }: PackageRequest): Promise<void> {
  for (const name of [...Object.keys(await readDependencies(root)), "sharp"]) {
    const installed = await realpath(path.join(root, "packages/core/node_modules", name)).catch(ignoreMissing)
    if (installed === undefined) continue
    const link = path.join(directory, "node_modules", name)
    await mkdir(path.dirname(link), { recursive: true })
    await rm(link, { force: true })
    await symlink(installed, link)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error
}
