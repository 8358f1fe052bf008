import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { dts } from "rolldown-plugin-dts"
import { emitDeclarations } from "./emit-declarations.ts"
import { publishedManifest } from "./published-manifest.ts"

// Builds the package for other apps into `dist`: ES modules and declarations that need nothing from this workspace.

const folder = path.join(import.meta.dirname, "..")
const dist = path.join(folder, "dist")
const source = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"))
const { manifest, entries } = publishedManifest(source)
/** Dependencies that are installed with the package. Everything else is bundled. */
const external = [...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })].map(
  (name) => new RegExp(`^${name}(/|$)`),
)

await rm(dist, { recursive: true, force: true })
await mkdir(dist, { recursive: true })
await Promise.all([bundleCode(), bundleDeclarations()])
await writeFile(path.join(dist, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
await copyFile(path.join(folder, "README.md"), path.join(dist, "README.md"))
await copyFile(path.join(folder, "../../LICENSE"), path.join(dist, "LICENSE"))
for (const ending of [".js", ".d.ts"]) process.stdout.write(`${await describeFiles(ending)}\n`)

async function bundleCode(): Promise<void> {
  const input = inputs((entry) => path.join(folder, entry))
  const bundle = await rolldown({ input, external, platform: "neutral", transform: { target: "es2022" } })
  // Hooks run only in browsers: a server component that imports them gets a reference.
  const banner = ({ name }: { name: string }) => (name === "react" ? '"use client"' : "")
  await bundle.write({ dir: dist, format: "es", banner, chunkFileNames: "shared/[name].js" })
  await bundle.close()
}

async function bundleDeclarations(): Promise<void> {
  const modules = Object.values(entries).map((entry) => path.join(folder, entry))
  const { declarationOf, resolve, load } = await emitDeclarations(folder, modules)
  const bundle = await rolldown({
    input: inputs((entry) => declarationOf(path.join(folder, entry))),
    external,
    logLevel: "silent",
    plugins: [
      { name: "emitted-declarations", resolveId: { order: "pre", handler: resolve }, load },
      dts({ dtsInput: true, emitDtsOnly: true, tsconfig: path.join(folder, "tsconfig.json") }),
    ],
  })
  const { output } = await bundle.write({ dir: dist, format: "es", chunkFileNames: "shared/[name].js" })
  await bundle.close()
  for (const { fileName, ...file } of output) if (file.type === "chunk") refuseStrangers(fileName, file.code)
}

/**
 * Fails when a declaration imports a package that is not installed with the client. With `skipLibCheck`, its types
 * would silently become `any`.
 */
function refuseStrangers(fileName: string, code: string): void {
  const named = code.matchAll(/(?:from |import\()"([^"]+)"/g).map(([, name = ""]) => name)
  const strange = named
    .filter((name) => !name.startsWith("./") && !name.startsWith("../"))
    .filter((name) => {
      return !external.some((known) => known.test(name))
    })
  const [first] = strange
  if (first !== undefined)
    throw new Error(`The declarations in ${fileName} need "${first}", which is not installed with them.`)
}

function inputs(fileOf: (entry: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, fileOf(entry)]))
}

async function describeFiles(ending: string): Promise<string> {
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(ending)).sort()
  const files = names.map((name) => path.join(dist, name))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const packed = gzipSync(Buffer.concat(await Promise.all(files.map((file) => readFile(file))))).byteLength
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return `*${ending}: ${names.length} files, ${kilobytes(bytes)}, ${kilobytes(packed)} gzipped`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`
}
