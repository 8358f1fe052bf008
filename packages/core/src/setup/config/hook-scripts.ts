import { resolve } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import type { HookHandler, HooksConfig } from "../../ground/schema/hooks-config.ts"
import { type NamedFile, readNamedFile } from "./named-file.ts"

/** A path that a command names as something that it runs. */
export interface NamedScript {
  /** Absolute. */
  file: string
  /** As the command says it, from where it runs; or from the project, by its variable. */
  text: string
  from: "project" | "here"
}

/** Where the words of commands lead: real paths. */
export interface ScriptPlaces {
  /** The top of the project. */
  top: string
  /** The directory of the project in whose `.claude` the hooks are set. */
  level: string
}

/** Words of commands that are looked at, and bytes of a file. */
const most = { named: 200, bytes: 1024 * 1024 } as const

/** The paths in the project that the words of commands may mean as what they run, whether there is such a file or not. */
export function namedScripts(handlers: readonly HookHandler[], { top, level }: ScriptPlaces): NamedScript[] {
  const words = new Map<string, RunWord>()
  for (const word of handlers.flatMap((handler) => (handler.type === "command" ? runWords(handler) : [])))
    words.set(JSON.stringify(word), word)
  return [...words.values()].slice(0, most.named).flatMap((word) => {
    const files = new Set([resolve(top, word.text), resolve(level, word.text)])
    return [...files].filter((file) => isWithin(top, file)).map((file) => ({ ...word, file }))
  })
}

/** The file at a path of the project; null for none. */
export function readScript(top: string, file: string): Promise<NamedFile | null> {
  return readNamedFile(top, file, most.bytes)
}

/** The files of the project that hooks run. One that cannot be looked at is left out: its hook says so when it is to run. */
export async function scriptsOfHooks(
  hooks: HooksConfig,
  places: ScriptPlaces,
): Promise<{ file: string; sha256: string }[]> {
  const handlers = Object.values(hooks).flatMap((groups) => (groups ?? []).flatMap(({ hooks }) => hooks))
  const seen = new Map<string, string>()
  for (const { file } of namedScripts(handlers, places)) {
    const read = await readScript(places.top, file)
    if (read !== null && read.sha256 !== null) seen.set(read.real, read.sha256)
  }
  return [...seen].sort().map(([file, sha256]) => ({ file, sha256 }))
}

interface RunWord {
  text: string
  from: NamedScript["from"]
}

/** Programs that run the file which they are given. */
const interpreters = new Set(
  "bash sh zsh dash python python3 node bun deno ruby perl php tsx uv npx env source . xargs time timeout nice exec sudo".split(
    " ",
  ),
)

const projectVariable = /\$(?:CLAUDE_PROJECT_DIR\b|\{CLAUDE_PROJECT_DIR\})\/?/g

/** What a command writes is nothing that it runs. */
const outputs = /(?<!\d)\d{0,3}>{1,2}&?\s*\S+/g

/** The words of a command that name what it runs. */
function runWords({ command, args }: { command: string; args?: string[] | undefined }): RunWord[] {
  const wordOf = (text: string): RunWord => {
    const plain = text.replace(/["']/g, "")
    const inProject = plain.replace(projectVariable, "./")
    return { text: inProject, from: inProject === plain ? "here" : "project" }
  }
  if (args !== undefined) return [command, ...args].map(wordOf)
  const found: RunWord[] = []
  for (const part of command.replace(outputs, " ").split(/[;|&\n()]+/)) {
    let isRun = true
    for (const word of part.trim().split(/\s+/).map(wordOf)) {
      const { text } = word
      if (isRun || text.includes(".claude/")) found.push(word)
      const name = text.slice(text.lastIndexOf("/") + 1)
      isRun = interpreters.has(name) || (isRun && /^(?:-|\w+=|\d+$)/.test(text))
    }
  }
  return found
}
