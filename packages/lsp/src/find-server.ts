import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { readBoundedFileSync } from "@docket/core"
import type { LanguagePlace } from "@docket/core/language-servers"
import type { LanguageServerState } from "@docket/core/schema"
import { isRecord } from "./read-diagnostics.ts"
import type { ServerDefinition, ServerProgram } from "./server-definitions.ts"

/** A program that can be started as a server. */
export interface FoundServer {
  /** Absolute. */
  file: string
  args: readonly string[]
  from: NonNullable<LanguageServerState["from"]>
  /** What it is installed in, absolute and real. */
  readable: readonly string[]
}

export type Search =
  | { found: FoundServer }
  | { missing: "absent" | "refused"; reason: string; program: string | null; from: LanguageServerState["from"] }

type Place = Pick<LanguagePlace, "worktree" | "path" | "isTrusted">

const untrusted = "Trust the project if it may run."

/** Finds the program of a server: in the project, on the search path, in Docket's own packages. */
export function findServer(definition: ServerDefinition, place: Place, root: string): Search {
  const needed = definition.needs?.find((name) => onPath(name, place.path) === null)
  let refused: Search | null = null
  for (const program of definition.programs) {
    for (const { file, from } of candidates(program, place, root)) {
      const isOurs = isInside(place.worktree, file)
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
  const names = definition.programs.map(({ name }) => name).join(" or ")
  return refused ?? { missing: "absent", reason: `Install ${names} to use it.`, program: null, from: null }
}

/** The program of a configured command. */
export function findCommand(command: readonly string[], place: Place, root: string): Search {
  const [name = "", ...args] = command
  const file = name.includes("/") ? path.resolve(root, name) : onPath(name, place.path)
  if (file === null || !isProgram(file))
    return { missing: "absent", reason: `${name} is not installed.`, program: null, from: "configuration" }
  if (isInside(place.worktree, file) && !place.isTrusted) {
    const reason = `It is not started: it lies in the project. ${untrusted}`
    return { missing: "refused", reason, program: file, from: "configuration" }
  }
  return { found: { file, args, from: "configuration", readable: installation(file, { name, args }) } }
}

/**
 * The directory in which a server works: the nearest one above the file with a marker, else the worktree.
 * Null where it needs a marker and there is none.
 */
export function rootOf(
  { markers, needsMarker }: Pick<ServerDefinition, "markers" | "needsMarker">,
  worktree: string,
  file: string,
): string | null {
  for (let at = path.dirname(file); isWithin(worktree, at); at = path.dirname(at)) {
    if (markers.some((name) => isFile(path.join(at, name)))) return at
    if (at === worktree) break
  }
  return needsMarker ? null : worktree
}

function* candidates(
  program: ServerProgram,
  { worktree, path: search }: Place,
  root: string,
): Generator<{ file: string; from: NonNullable<LanguageServerState["from"]> }> {
  for (let at = root; isWithin(worktree, at); at = path.dirname(at)) {
    const file = path.join(at, "node_modules", ".bin", program.name)
    if (isProgram(file) && isNewEnough(file, program)) yield { file, from: "project" }
    if (at === worktree) break
  }
  for (const directory of search.split(path.delimiter).filter(path.isAbsolute)) {
    const file = path.join(directory, program.name)
    if (isProgram(file) && isNewEnough(file, program)) yield { file, from: "path" }
  }
  for (let at = import.meta.dirname; at !== path.dirname(at); at = path.dirname(at)) {
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

function isNewEnough(file: string, { package: name, since }: ServerProgram): boolean {
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
function installation(file: string, program: ServerProgram): string[] {
  const own = program.package === undefined ? null : packageOf(file, program.package)
  const all = [file, realOf(file), own].flatMap((one) => (one === null ? [] : [packagesAround(one)]))
  return [...new Set(all)].filter((one) => realOf(one) === one)
}

/** The outermost `node_modules` around a file, else the file itself. */
function packagesAround(file: string): string {
  const at = file.indexOf("/node_modules/")
  return at < 0 ? file : file.slice(0, at + "/node_modules".length)
}

function isInside(worktree: string, file: string): boolean {
  return isWithin(worktree, file) || isWithin(worktree, realOf(file) ?? file)
}

function isWithin(directory: string, file: string): boolean {
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

function isFile(file: string): boolean {
  try {
    return lstatSync(file).isFile()
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
