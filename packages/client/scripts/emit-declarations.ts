import { execFile } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"
import { type InferredType, inferredTypes, probeOf, withPlainTypes } from "./plain-types.ts"

export interface EmittedDeclarations {
  /** The path of a source file's declaration. */
  declarationOf(file: string): string
  /** Finds the declaration that an import in this workspace means; null for packages. */
  resolve(specifier: string, importer: string | undefined): string | null
  /** The changed text of a declaration; null when it is published unchanged. */
  load(file: string): string | null
}

/** Types that only the service uses while it answers are hidden from callers: these files are replaced by this text. */
const unknownToCallers = {
  "api/src/context.d.ts": "export interface ApiContext {}",
  "core/src/runtime/operations/operation.d.ts": `
export interface Operation<Kind, Input, Parsed, Output> { kind: Kind; types: [Input, Parsed, Output] }
export type AnyOperation = Operation<unknown, unknown, unknown, unknown>
export interface OperationTree {}
export type Kind = string
export type FoundRow = string
export type Rest = never
export type QueryParameter = never
export type RestRequest = never
export type SaidRest = never
export declare const isOperation: never, listOperations: never`,
}

/**
 * Runs the compiler to write the declarations of the client and of all types it uses. They are cached, so that the next
 * run writes only what changed.
 * @param folder of the client
 * @param modules source files that are published
 */
export async function emitDeclarations(folder: string, modules: string[]): Promise<EmittedDeclarations> {
  const packages = path.join(folder, "..")
  const cache = path.join(folder, "node_modules/.cache/declarations")
  const entries = await workspaceEntries(packages)
  const declarationOf = (file: string) =>
    path.join(cache, "packages", path.relative(packages, file).replace(/\.tsx?$/, ".d.ts"))
  const inferred = await inferredTypes([path.join(packages, "core/src"), path.join(packages, "api/src")])
  const probe = path.join(folder, "node_modules/.cache/probe.ts")
  await mkdir(cache, { recursive: true })
  await writeFile(probe, probeOf(inferred))
  await compile(folder, { cache, packages, files: [...modules, probe], entries })
  const plain = withPlainTypes(inferred, await readFile(declarationOf(probe), "utf8"))
  const texts = new Map<string, string>()
  for (const file of new Set(inferred.map(({ file }: InferredType) => file))) {
    const declaration = declarationOf(file)
    texts.set(declaration, plain(file, await readFile(declaration, "utf8")))
  }
  for (const [file, text] of Object.entries(unknownToCallers))
    texts.set(path.join(cache, "packages", file), `${text}\n`)
  return {
    declarationOf,
    resolve(specifier, importer) {
      const entry = entries[specifier]
      if (entry !== undefined) return declarationOf(entry)
      if (!specifier.startsWith(".") || !importer?.startsWith(cache)) return null
      return path.resolve(path.dirname(importer), specifier.replace(/\.tsx?$/, ".d.ts"))
    },
    load: (file) => texts.get(file) ?? null,
  }
}

interface Compilation {
  cache: string
  packages: string
  files: string[]
  entries: Record<string, string>
}

async function compile(folder: string, { cache, packages, files, entries }: Compilation): Promise<void> {
  const config = {
    extends: path.join(packages, "config/tsconfig.base.json"),
    compilerOptions: {
      jsx: "react-jsx",
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      incremental: true,
      tsBuildInfoFile: path.join(cache, "types.tsbuildinfo"),
      outDir: path.join(cache, "packages"),
      rootDir: packages,
      typeRoots: [path.join(folder, "node_modules/@types")],
      // Mapped to source files: the compiler writes no declarations for what it finds in node_modules.
      paths: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, [file]])),
    },
    files,
  }
  const file = path.join(folder, "node_modules/.cache/tsconfig.declarations.json")
  await writeFile(file, JSON.stringify(config, null, 2))
  const run = promisify(execFile)(path.join(folder, "node_modules/.bin/tsc"), ["-p", file], { cwd: folder })
  await run.catch((error: { stdout?: string }) => {
    throw new Error(`The declarations cannot be written:\n${error.stdout}`, { cause: error })
  })
}

/** The source file of each entry point that the packages of this workspace export. */
async function workspaceEntries(packages: string): Promise<Record<string, string>> {
  const entries: Record<string, string> = {}
  for (const name of ["core", "api"]) {
    const manifest: { exports: Record<string, string> } = JSON.parse(
      await readFile(path.join(packages, name, "package.json"), "utf8"),
    )
    for (const [entry, file] of Object.entries(manifest.exports))
      entries[`@docket/${name}${entry.slice(1)}`] = path.join(packages, name, file)
  }
  return entries
}
