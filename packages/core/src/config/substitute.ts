import { realpath } from "node:fs/promises"
import { isAbsolute, join, relative, resolve } from "node:path"
import { readBoundedFile, unreadableReason } from "../file/read-bounded-file.ts"

/** Most bytes of a file that stands for a value: a prompt or a key. */
const fileLimit = 1_048_576

const referencePattern = /\{(env|file):([^{}]+)\}/g

export interface SubstitutionRights {
  /** Relative file references start here. */
  directory: string
  home: string
  env: Record<string, string | undefined>
  /** When set, only files inside it may be read. */
  within: string | null
  /** May the string at this path read environment variables? */
  mayReadEnvironment(path: readonly string[]): boolean
}

export interface Substitution {
  value: unknown
  problems: { path: string[]; message: string }[]
}

type Lookup = { text: string } | { problem: string }

async function readReference(name: string, rights: SubstitutionRights): Promise<Lookup> {
  const file = name.startsWith("~/") ? join(rights.home, name.slice(2)) : resolve(rights.directory, name)
  try {
    if (rights.within !== null) {
      const inside = relative(await realpath(rights.within), await realpath(file))
      if (inside.startsWith("..") || isAbsolute(inside)) {
        return { problem: `{file:${name}} lies outside the project; refer to it from your global docket.json` }
      }
    }
    return { text: (await readBoundedFile(file, fileLimit)).toString("utf8").trimEnd() }
  } catch (error) {
    return { problem: `{file:${name}}: ${file} ${unreadableReason(error)}` }
  }
}

function readVariable(name: string, path: readonly string[], rights: SubstitutionRights): Lookup {
  if (!rights.mayReadEnvironment(path)) {
    return {
      problem: `a project file may use {env:${name}} only in a provider on this machine; move this to your global docket.json`,
    }
  }
  const text = rights.env[name]
  return text === undefined ? { problem: `the environment variable ${name} is not set` } : { text }
}

/** Replaces `{env:NAME}` and `{file:path}` in every string of a parsed config. What fails becomes empty text. */
export async function substitute(input: unknown, rights: SubstitutionRights): Promise<Substitution> {
  const problems: Substitution["problems"] = []
  const visitText = async (text: string, path: string[]) => {
    const parts: string[] = []
    let end = 0
    for (const match of text.matchAll(referencePattern)) {
      const [whole, kind, name = ""] = match
      const found = kind === "env" ? readVariable(name, path, rights) : await readReference(name, rights)
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
