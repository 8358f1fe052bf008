import { heldReference } from "./without-reach.ts"

const referencePattern = /\{(env|file):([^{}]+)\}/g

/** What a reference stands for, or why there is nothing. */
export type Lookup = { text: string } | { problem: string }

export interface SubstitutionSources {
  /** Null where none may be read. */
  env: Record<string, string | undefined> | null
  /** Text of the file that `{file:name}` names. */
  readReference(name: string): Promise<Lookup>
}

export interface Substitution {
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
