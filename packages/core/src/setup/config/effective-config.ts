import { isWithin } from "../../ground/file/is-within.ts"
import type { ConfigProblem } from "./config-report.ts"
import { isRecord } from "./is-record.ts"
import type { ConfigLayer, CountingSource, LoadedConfig } from "./loaded-config.ts"
import { mergeConfig } from "./merge-config.ts"
import type { OtherFile } from "./other-programs.ts"
import type { Config } from "./schema.ts"
import { shownValue, withoutSecrets } from "./shown-value.ts"

/** Where a value comes from: the last place that sets it, or Docket itself. */
export type ValueOrigin = { layer: "default" } | SetOrigin

export interface SetOrigin {
  layer: ConfigLayer
  /** The file, or else the environment variable or option, that has the value. */
  file: string
  /** 1-based. */
  line: number
  column: number
}

/** A value that is in effect. */
export interface EffectiveValue {
  /** Keys on the way to it. */
  path: string[]
  /** As it is written: nothing is filled in, and no secret is shown. */
  value: string
  from: ValueOrigin
}

/** A file that was read, or settings from elsewhere. */
export interface ConfigFile {
  file: string
  layer: ConfigLayer
  /**
   * False when another file replaces it, or when it only makes permissions stricter (untrusted, or nothing else in
   * it).
   */
  counts: boolean
}

/** The resulting configuration, for people. Holds no secrets. */
export interface EffectiveConfig {
  values: EffectiveValue[]
  /** Lowest priority first. */
  files: ConfigFile[]
  /** Files that would be read if they were there: the usual ones for settings. */
  missing: string[]
  problems: ConfigProblem[]
  /** Files of other programs in the project, and how each is used. */
  others: OtherFile[]
}

/** The defaults that the schema documents. */
const defaults: Config = {
  default_agent: "build",
  share: "manual",
  sandbox: { mode: "on" },
  delegation: { depth: 2, concurrency: 8 },
}

/** Every value that counts with where it comes from, the files that were read, and what is wrong with them. */
export function effectiveConfig(loaded: LoadedConfig): EffectiveConfig {
  const sources = loaded.sources.map((source) => ({ ...source, long: mergeConfig({}, source.written) }))
  const { sandbox: _merged, ...written } = sources.reduce((low: Config, { long }) => mergeConfig(low, long), {})
  // What a project says of the sandbox is not merged but made tighter.
  const { sandbox } = loaded.config
  const config = mergeConfig(defaults, { ...written, ...(sandbox && { sandbox }) })
  const values = leaves(config).map(({ path, value }): EffectiveValue => {
    const from =
      path[0] === "sandbox" ? originOfSandbox(path, value, { sources, loaded }) : originOf(path, value, sources)
    return { path: path.map(withoutSecrets), value: shownValue(path, value), from }
  })
  // Without trust, or where it is not needed, a project's rules stand beside the rest as what none may exceed.
  const stricter = loaded.trust.entries.filter(({ file, kind }) => {
    return kind === "permission-restricts" && sources.every((source) => source.file !== file)
  })
  const strictValues = stricter.flatMap(({ path, value, file, line, column }): EffectiveValue[] => {
    return path[0] === "sandbox" ? [] : [{ path, value, from: { layer: "project", file, line, column } }]
  })
  const deniedValues = loaded.denials.map(({ permission, pattern, ...from }): EffectiveValue => {
    return {
      path: ["permission", permission, pattern].map(withoutSecrets),
      value: "deny",
      from: { layer: "project", ...from },
    }
  })
  return {
    values: [...values, ...strictValues, ...deniedValues].sort((a, b) => section(a).localeCompare(section(b))),
    files: loaded.files.map((file) => fileOf(file, loaded)),
    missing: loaded.usualFiles.filter((file) => !loaded.files.some((read) => read === file || read === `${file}c`)),
    problems: loaded.problems.map((problem) => ({ ...problem, message: withoutSecrets(problem.message) })),
    others: loaded.others,
  }
}

const section = ({ path }: EffectiveValue) => path[0] ?? ""

interface LongSource extends CountingSource {
  /** What it sets, each permission rule written out: `"ask"` as `{ "*": "ask" }`. */
  long: Config
}

interface Leaf {
  path: string[]
  value: unknown
}

/** All values that a config sets: what is no map, and each entry of `instructions` by itself. */
function leaves({ $schema: _schema, ...config }: Config): Leaf[] {
  return Object.entries(config).flatMap(([key, value]) => leavesAt([key], value))
}

function leavesAt(path: string[], value: unknown): Leaf[] {
  if (Array.isArray(value) && path[0] === "instructions") return value.map((item) => ({ path, value: item }))
  const entries = isRecord(value) ? Object.entries(value) : []
  if (entries.length > 0) return entries.flatMap(([key, item]) => leavesAt([...path, key], item))
  const isEmptySection = isRecord(value) && path.length === 1
  return value === undefined || isEmptySection ? [] : [{ path, value }]
}

function originOf(path: string[], value: unknown, sources: readonly LongSource[]): ValueOrigin {
  const last = sources.findLast(({ long }) => sets(long, path, value))
  if (last === undefined) return { layer: "default" }
  const { layer, file, place, written } = last
  const index = written.instructions?.indexOf(String(value)) ?? -1
  return { layer, file, ...place(path[0] === "instructions" ? [...path, String(index)] : path) }
}

/** The user's own file where it sets the same value already, else the project's file that made it stricter. */
function originOfSandbox(
  path: string[],
  value: unknown,
  { sources, loaded }: { sources: readonly LongSource[]; loaded: LoadedConfig },
): ValueOrigin {
  const same = sources.filter(({ long }) => JSON.stringify(valueAt(long, path)) === JSON.stringify(value))
  const from = originOf(path, value, same)
  if (from.layer !== "default") return from
  const asked = loaded.trust.entries.findLast((entry) => entry.path.join("\0") === path.join("\0"))
  if (asked === undefined) return originOf(path, value, sources)
  return { layer: "project", file: asked.file, line: asked.line, column: asked.column }
}

function sets(config: Config, path: string[], value: unknown): boolean {
  return path[0] === "instructions"
    ? (config.instructions?.includes(String(value)) ?? false)
    : valueAt(config, path) !== undefined
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at: unknown, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)
}

function fileOf(file: string, { sources, trust }: LoadedConfig): ConfigFile {
  const source = sources.find((other) => other.file === file)
  if (source !== undefined) return { file, layer: source.layer, counts: true }
  const isProject = trust.directory !== null && isWithin(trust.directory, file)
  return { file, layer: isProject ? "project" : "user", counts: false }
}
