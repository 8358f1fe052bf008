import { accessSync, constants, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { readBoundedFileSync } from "@docket/core"
import type { ProgramPlace } from "@docket/core/program-place"
import type { LanguageServerState } from "@docket/core/schema"
import { isRecord } from "./read-diagnostics.ts"

/** A program that may be installed. */
export interface NamedProgram {
  name: string
  args: readonly string[]
  /** The npm package that brings it. */
  package?: string
  /** The lowest major version of the package. */
  since?: number
  /** Why it runs code of the project, and so only in a trusted one. */
  runsCode?: string
}

/** A program that can be started. */
export interface FoundProgram {
  /** Absolute. */
  file: string
  args: readonly string[]
  from: NonNullable<LanguageServerState["from"]>
  /** What it is installed in, absolute and real. */
  readable: readonly string[]
}

export type Search =
  | { found: FoundProgram }
  | { missing: "absent" | "refused"; reason: string; program: string | null; from: LanguageServerState["from"] }

type Place = Pick<ProgramPlace, "worktree" | "checkout" | "path" | "isTrusted">

interface Wanted {
  programs: readonly NamedProgram[]
  /** Programs without which it does nothing. */
  needs?: readonly string[]
  /** Docket's own packages count too. */
  fromDocket?: boolean
}

const here = fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "")
const untrusted = "Trust the project if it may run."

/** Finds the first program that may run: in the project, on the search path, in Docket's own packages. */
export function findProgram({ programs, needs, fromDocket = false }: Wanted, place: Place, root: string): Search {
  const needed = needs?.find((name) => onPath(name, place.path) === null)
  let refused: Search | null = null
  for (const program of programs) {
    for (const { file, from } of candidates(program, place, root)) {
      if (from === "docket" && !fromDocket) continue
      const isOurs = isOfProject(place, file)
      const why = isOurs ? "it lies in the project" : program.runsCode
      if (why !== undefined && !place.isTrusted) {
        refused ??= { missing: "refused", reason: `It is not started: ${why}. ${untrusted}`, program: file, from }
        continue
      }
      if (needed !== undefined)
        return { missing: "absent", reason: `It needs ${needed}, which is not installed.`, program: file, from }
      return {
        found: { file, args: program.args, from: isOurs ? "project" : from, readable: installation(file, program) },
      }
    }
  }
  const names = programs.map(({ name }) => name).join(" or ")
  return refused ?? { missing: "absent", reason: `Install ${names} to use it.`, program: null, from: null }
}

/** The program of a configured command. */
export function findCommand(command: readonly string[], place: Place, root: string): Search {
  const [name = "", ...args] = command
  const file = name.includes("/") ? path.resolve(root, name) : onPath(name, place.path)
  if (file === null || !isProgram(file))
    return { missing: "absent", reason: `${name} is not installed.`, program: null, from: "configuration" }
  const why = place.isTrusted ? null : codeOfCommand(file, args, { place, root })
  if (why !== null) {
    const reason = `It is not started: ${why}. ${untrusted}`
    return { missing: "refused", reason, program: file, from: "configuration" }
  }
  return { found: { file, args, from: "configuration", readable: installation(file, { name, args }) } }
}

/** Programs that run others, also those of a project. */
const launchers: ReadonlySet<string> = new Set(
  [
    "npx npm pnpm pnpx yarn corepack bunx bun vp uv uvx poetry pipenv pdm hatch rye bundle composer",
    "make just task cargo go dotnet mise asdf direnv nix env xargs",
  ]
    .join(" ")
    .split(" "),
)

/** Why a command runs code of the project; null when it does not. */
function codeOfCommand(
  file: string,
  args: readonly string[],
  { place, root }: { place: Place; root: string },
): string | null {
  if (isOfProject(place, file)) return "it lies in the project"
  const name = path.basename(file)
  if (launchers.has(name)) return `${name} runs programs of the project`
  // Python adds the directory in which it works to the places of modules.
  if (/^python[\d.]*$/.test(name) && args.some((word) => /^-[a-zA-Z]*[mc]/.test(word)))
    return "Python loads modules of the project"
  const words = args.flatMap((word) => (word.includes("$FILE") ? [] : [word, ...word.split("=").slice(1)]))
  const named = words.find((word) => {
    const at = path.resolve(root, word)
    return word !== "" && isOfProject(place, at) && realOf(at) !== null
  })
  return named === undefined ? null : `${named} lies in the project`
}

function* candidates(
  program: NamedProgram,
  { worktree, checkout, path: search }: Place,
  root: string,
): Generator<{ file: string; from: NonNullable<LanguageServerState["from"]> }> {
  for (const top of checkout === null ? [worktree] : [worktree, checkout]) {
    for (let at = path.resolve(top, path.relative(worktree, root)); isWithin(top, at); at = path.dirname(at)) {
      const file = path.join(at, "node_modules", ".bin", program.name)
      if (isProgram(file) && isNewEnough(file, program)) yield { file, from: "project" }
      if (at === top) break
    }
  }
  for (const directory of search.split(path.delimiter).filter(path.isAbsolute)) {
    const file = path.join(directory, program.name)
    if (isProgram(file) && isNewEnough(file, program)) yield { file, from: "path" }
  }
  for (let at = here; at !== path.dirname(at); at = path.dirname(at)) {
    const file = path.join(at, "node_modules", ".bin", program.name)
    if (isProgram(file) && isNewEnough(file, program)) yield { file, from: "docket" }
  }
}

function onPath(name: string, search: string): string | null {
  const files = search
    .split(path.delimiter)
    .filter(path.isAbsolute)
    .map((directory) => path.join(directory, name))
  return files.find(isProgram) ?? null
}

/** Bytes of a package.json; a larger one names no version. */
const maxPackage = 64 * 1024

function isNewEnough(file: string, { package: name, since }: NamedProgram): boolean {
  if (since === undefined) return true
  const directory = packageOf(file, name ?? "")
  if (directory === null) return false
  try {
    const read: unknown = JSON.parse(readBoundedFileSync(path.join(directory, "package.json"), maxPackage).toString())
    return isRecord(read) && typeof read.version === "string" && Number.parseInt(read.version, 10) >= since
  } catch {
    return false
  }
}

/** The real directory of the package that brings a program; null when it cannot be told. */
function packageOf(file: string, name: string): string | null {
  const beside = path.join(path.dirname(path.dirname(file)), name)
  if (path.basename(path.dirname(file)) === ".bin") return realOf(beside)
  const real = realOf(file)
  const at = real?.lastIndexOf(`/node_modules/${name}/`) ?? -1
  return real === null || at < 0 ? null : real.slice(0, at + `/node_modules/${name}`.length)
}

/** The directories and files that a program needs to start. */
function installation(file: string, program: NamedProgram): string[] {
  const own = program.package === undefined ? null : packageOf(file, program.package)
  const all = [file, realOf(file), own].flatMap((one) => (one === null ? [] : [packagesAround(one)]))
  return [...new Set(all)].filter((one) => realOf(one) === one)
}

/** The outermost `node_modules` around a file, else the file itself. */
function packagesAround(file: string): string {
  const at = file.indexOf("/node_modules/")
  return at < 0 ? file : file.slice(0, at + "/node_modules".length)
}

/** Whether a file lies in the project: in the worktree or the checkout that packages are installed in. */
function isOfProject({ worktree, checkout }: Place, file: string): boolean {
  return isInside(worktree, file) || (checkout !== null && isInside(checkout, file))
}

function isInside(worktree: string, file: string): boolean {
  return isWithin(worktree, file) || isWithin(worktree, realOf(file) ?? file)
}

export function isWithin(directory: string, file: string): boolean {
  return file === directory || file.startsWith(directory.endsWith("/") ? directory : `${directory}/`)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function realOf(file: string): string | null {
  try {
    return realpathSync(file)
  } catch {
    return null
  }
}
