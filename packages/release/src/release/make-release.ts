import { createHash } from "node:crypto"
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { buildPrograms, buildWeb } from "../build/build-package.ts"
import { readProduct } from "../build/product.ts"
import { billOfMaterials } from "./bill-of-materials.ts"
import { dependenciesOf, packagesOf, readPackages } from "./contained-packages.ts"
import { noticesOf } from "./notices.ts"
import { changesOf } from "./read-changes.ts"
import { writeTarball } from "./write-tarball.ts"

export interface ReleaseRequest {
  /** The checkout, absolute, with the web app built. */
  root: string
  /** Where the release's files go, absolute; files of the same names are replaced. */
  out: string
}

/**
 * Makes a release: the package, its checksums, what it contains, and what changed.
 * @returns the files, absolute; the first one is the package
 */
export async function makeRelease({ root, out }: ReleaseRequest): Promise<string[]> {
  const { name, version, license } = await readProduct(root)
  const directory = await mkdtemp(path.join(tmpdir(), "docket-release-"))
  try {
    const modules = await buildPrograms({ root, directory })
    const traced = await buildWeb({ root, directory })
    // What the pages for browsers contain is not listed by Next: all that the web app depends on is named.
    const ofPages = await dependenciesOf(path.join(root, "apps/web"))
    const packages = await readPackages([...packagesOf(modules), ...traced, ...ofPages])
    await writeFile(path.join(directory, "THIRD-PARTY-LICENSES.txt"), noticesOf(packages))
    await cp(path.join(root, "deploy"), path.join(directory, "deploy"), { recursive: true, filter: isDeployed })
    await copyFile(path.join(root, "LICENSE"), path.join(directory, "LICENSE"))
    await copyFile(path.join(root, "packages/release/README-of-package.md"), path.join(directory, "README.md"))
    await mkdir(out, { recursive: true })
    const fileOf = (ending: string) => path.join(out, `${name}-${version}${ending}`)
    const files = [fileOf(".tgz"), fileOf(".cdx.json"), fileOf(".changes.md")] as const
    const [tarball, bill, changes] = files
    await writeTarball(directory, tarball)
    await writeFile(bill, billOfMaterials({ name, version, license, homepage: null }, packages))
    await writeFile(changes, changesOf(await readFile(path.join(root, "CHANGELOG.md"), "utf8"), version))
    const sums = await Promise.all(files.map(async (file) => `${await sha256(file)}  ${path.basename(file)}\n`))
    const checksums = path.join(out, `${name}-${version}.sha256`)
    await writeFile(checksums, sums.join(""))
    return [...files, checksums]
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** What an administrator copies; beside it may lie what a container of this checkout used. */
const isDeployed = (file: string) => !/\/(?:projects|backups|\.env|[^/]+\.tgz)$/.test(file)

async function sha256(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex")
}
