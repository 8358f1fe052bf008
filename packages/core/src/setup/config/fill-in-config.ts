import { withAbsolutePlaces } from "../../ground/schema/sandbox-config.ts"
import type { ConfigProblem } from "./config-report.ts"
import { keepValid } from "./keep-valid.ts"
import type { CountingSource } from "./loaded-config.ts"
import { mergeConfigs } from "./merge-config.ts"
import type { ParsedSource } from "./parse-config-source.ts"
import { type FileReferences, type Lookup, readReferenced, referencedFile, substitute } from "./references.ts"
import { Config } from "./schema.ts"
import { heldReference } from "./without-reach.ts"

interface FillInSources {
  home: string
  /** Null for a project that reads nothing of the machine. */
  env: Record<string, string | undefined> | null
  /** The content of files that a trusted project names, as it was judged; null for the user's own files. */
  references: FileReferences | null
}

/**
 * The config of a file that counts, with `{env:}` and `{file:}` filled in and instructions as absolute patterns. Null
 * when the file is malformed; a key that is wrong afterwards is left out.
 */
async function fillInConfig(
  parsed: ParsedSource,
  from: FillInSources,
): Promise<{ config: Config | null; problems: ConfigProblem[] }> {
  const { directory, file } = parsed.source
  if (!parsed.config) return { config: null, problems: [] }
  const readReference = (name: string) => lookUp(name, referencedFile(name, { directory, home: from.home }), from)
  const { value, problems: unresolved } = await substitute(parsed.config, { env: from.env, readReference })
  const problems = unresolved.map(({ path, message }): ConfigProblem => ({ file, ...parsed.place(path), message }))
  // Rights hold no references, so what is left out here restricts nothing.
  const { data, issues } = keepValid(Config, value)
  for (const { path, message } of issues) {
    const leftOut = `${message} after {env:} and {file:} were filled in; left out`
    problems.push({ file, ...parsed.place(path.map(String)), message: leftOut })
  }
  return { config: data && withAbsolutePaths(data, { directory, home: from.home }), problems }
}

/** The result of several files. */
export interface FilledIn {
  config: Config
  problems: ConfigProblem[]
  sources: CountingSource[]
}

/**
 * The configs of several files as one, and what each of them adds; lowest priority first.
 * @param below what counts already, with a lower priority
 */
export async function fillInAll(
  parsed: readonly ParsedSource[],
  from: FillInSources,
  below: readonly CountingSource[] = [],
): Promise<FilledIn> {
  const filledIn = await Promise.all(parsed.map((source) => fillInConfig(source, from)))
  const sources = parsed.map(({ source, config: written, place, defines }, index): CountingSource => {
    const config = filledIn[index]?.config ?? null
    const layer = source.layer ?? (from.references === null ? "user" : "project")
    return { file: source.file, layer, config: config ?? {}, written: written ?? {}, place, defines: config && defines }
  })
  const { counting, problems } = nearestAgents([...below, ...sources])
  const config = mergeConfigs(counting.map((source) => source.config))
  return { config, problems: [...filledIn.flatMap(({ problems }) => problems), ...problems], sources: counting }
}

/**
 * Of several Markdown files for one agent only the last counts, as a whole: half of one and half of another would be
 * neither. Each of the others is a problem.
 * @param sources lowest priority first
 */
function nearestAgents(sources: readonly CountingSource[]): {
  counting: CountingSource[]
  problems: ConfigProblem[]
} {
  const nearest = new Map(sources.map(({ defines, file }) => [defines, file]))
  const isLeftOut = ({ defines, file }: CountingSource) => defines !== null && nearest.get(defines) !== file
  const problems = sources.filter(isLeftOut).map(({ defines, file }): ConfigProblem => {
    const message = `there are two files for the agent "${defines}": ${nearest.get(defines)} is nearer and counts, this one does not.`
    return { file, line: 1, column: 1, message }
  })
  return { counting: sources.filter((source) => !isLeftOut(source)), problems }
}

async function lookUp(name: string, file: string, { references, env }: FillInSources): Promise<Lookup> {
  if (references === null) return readReferenced(name, file)
  const found = references.get(file) ?? { problem: `{file:${name}} cannot be read` }
  if (!("outside" in found)) return found
  return env === null ? { problem: heldReference("file", name) } : readReferenced(name, found.outside)
}

/** Instruction patterns and places of the sandbox are relative to the file that names them. */
function withAbsolutePaths(config: Config, from: { directory: string; home: string }): Config {
  const absolute = (name: string) => (/^https?:\/\//i.test(name) ? name : referencedFile(name, from))
  return {
    ...config,
    ...(config.instructions && {
      instructions: config.instructions.map((entry) => absoluteInstruction(entry, from)),
    }),
    ...(config.sandbox && { sandbox: withAbsolutePlaces(config.sandbox, absolute) }),
  }
}

/** The target of an entry of `instructions`: an address, or an absolute path or pattern. */
export function absoluteInstruction(entry: string, from: { directory: string; home: string }): string {
  return isInstructionAddress(entry) ? entry : referencedFile(entry, from)
}

/** Whether an entry of `instructions` is the address of a text; anything else is a path or a pattern of paths. */
export function isInstructionAddress(entry: string): boolean {
  return /^https?:\/\//i.test(entry)
}
