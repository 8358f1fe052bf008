import { realpath } from "node:fs/promises"
import { join, resolve } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFile, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import type { CountingSource } from "./loaded-config.ts"
import type { ParsedSource } from "./parse-config-source.ts"
import { heldReference } from "./without-reach.ts"

const referencePattern = /\{(env|file):([^{}]+)\}/g

/** The text of a reference, or why there is none. */
export type Lookup = { text: string } | { problem: string }

interface SubstitutionSources {
  /** Null where none may be read. */
  env: Record<string, string | undefined> | null
  /** Text of the file that `{file:name}` names. */
  readReference(name: string): Promise<Lookup>
}

interface Substitution {
  value: unknown
  problems: { path: string[]; message: string }[]
}

/** The names in every `{kind:name}` of a value, in their order. */
export function referencesIn(value: unknown, kind: "env" | "file"): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.values(value).flatMap((item) => referencesIn(item, kind))
  }
  const found = typeof value === "string" ? [...value.matchAll(referencePattern)] : []
  return found.flatMap(([, of, name]) => (of === kind && name ? [name] : []))
}

function readVariable(name: string, env: SubstitutionSources["env"]): Lookup {
  if (env === null) return { problem: heldReference("env", name) }
  const text = env[name]
  return text === undefined ? { problem: `the environment variable ${name} is not set` } : { text }
}

/** Replaces `{env:NAME}` and `{file:path}` in every string of a parsed config. What fails becomes empty text. */
export async function substitute(input: unknown, from: SubstitutionSources): Promise<Substitution> {
  const problems: Substitution["problems"] = []
  const visitText = async (text: string, path: string[]) => {
    const parts: string[] = []
    let end = 0
    for (const match of text.matchAll(referencePattern)) {
      const [whole, kind, name = ""] = match
      const found = kind === "env" ? readVariable(name, from.env) : await from.readReference(name)
      if ("problem" in found) problems.push({ path, message: found.problem })
      parts.push(text.slice(end, match.index), "text" in found ? found.text : "")
      end = match.index + whole.length
    }
    return parts.join("") + text.slice(end)
  }
  const visit = async (value: unknown, path: string[]): Promise<unknown> => {
    if (typeof value === "string") return value.includes("{") ? visitText(value, path) : value
    if (Array.isArray(value)) return Promise.all(value.map((item, index) => visit(item, [...path, String(index)])))
    if (typeof value !== "object" || value === null) return value
    const entries = Object.entries(value).map(async ([key, item]) => [key, await visit(item, [...path, key])] as const)
    return Object.fromEntries(await Promise.all(entries))
  }
  return { value: await visit(input, []), problems }
}

/** Bytes that are read of a file that a configuration names. */
const maxBytes = 1_048_576

/** The target of a `{file:…}` in a project's configuration. Only files that are really inside the project are read. */
type FileReference = { text: string } | { outside: string } | { problem: string }

/** By absolute path. */
export type FileReferences = ReadonlyMap<string, FileReference>

/** The absolute path of `{file:name}` in a configuration file of `directory`. */
export function referencedFile(name: string, { directory, home }: { directory: string; home: string }): string {
  return name.startsWith("~/") ? join(home, name.slice(2)) : resolve(directory, name)
}

/** Every file that the configuration of a project names. */
export async function readProjectReferences(
  parsed: readonly ParsedSource[],
  { home, worktree }: { home: string; worktree: string },
): Promise<FileReferences> {
  const files = parsed.flatMap(({ config, source }) =>
    configLeaves(config ?? {})
      .flatMap(({ value }) => referencesIn(value, "file"))
      .map((name) => referencedFile(name, { directory: source.directory, home })),
  )
  const unique = [...new Set(files)].sort()
  return new Map(await Promise.all(unique.map(async (file) => [file, await readInside(file, worktree)] as const)))
}

async function readInside(file: string, worktree: string): Promise<FileReference> {
  const real = await realpath(file).catch(() => file)
  return isWithin(worktree, real) ? readReferenced(file, real) : { outside: real }
}

/** Text of a file for `{file:…}`. */
export async function readReferenced(name: string, file: string): Promise<Lookup> {
  try {
    return { text: (await readBoundedFile(file, maxBytes)).toString("utf8").trimEnd() }
  } catch (error) {
    return { problem: `{file:${name}}: ${file} ${unreadableReason(error)}` }
  }
}

/** A value of a config that is set by itself, and the keys on the way to it. */
export interface ConfigLeaf {
  path: string[]
  value: unknown
}

/** Everything that a config sets. Lists are one value, but for `instructions`; so is each model of a provider. */
export function configLeaves(config: object): ConfigLeaf[] {
  return Object.entries(config).flatMap(([key, value]) => (key === "$schema" ? [] : leavesAt([key], value)))
}

function leavesAt(path: string[], value: unknown): ConfigLeaf[] {
  if (isWhole(path, value)) return [{ path, value }]
  const entries = Object.entries(Object(value))
  // An empty section sets nothing, but an agent or a provider without keys is one all the same.
  if (entries.length === 0) return path.length > 1 ? [{ path, value }] : []
  return entries.flatMap(([key, item]) => leavesAt([...path, key], item))
}

function isWhole(path: string[], value: unknown): boolean {
  const [section, , part, ...rest] = path
  if (typeof value !== "object" || value === null) return true
  if (Array.isArray(value)) return section !== "instructions"
  // A server counts as a whole: its variables are for its program.
  if (section === "mcp" && path.length === 2) return true
  if (section === "agent" && part === "acp" && path.length === 3) return true
  return section === "provider" && part === "models" && rest.length === 1
}

/** The variables that the configuration of providers reads. */
export function providerVariables(sources: readonly Pick<CountingSource, "written">[]): string[] {
  const read = sources.flatMap(({ written: { provider = {} } }) => [
    ...referencesIn(provider, "env"),
    ...Object.values(provider).flatMap(({ env = [] }) => env),
  ])
  return [...new Set(read)]
}
