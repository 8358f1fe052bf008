import type { ConfigProblem } from "./config-report.ts"
import type { Config } from "./schema.ts"
import type { TextPosition } from "./text-position.ts"

/** Who says something: the user in files, the project's files, or the user for one service alone. */
export type ConfigLayer = "user" | "project" | "environment" | "command-line"

/** A configuration file that counts, or settings from elsewhere. */
export interface CountingSource {
  file: string
  layer: ConfigLayer
  /** What it adds, filled in. */
  config: Config
  /** The same as it is written. */
  written: Config
  /** Where the value at a path of `written` stands. */
  place(path: readonly string[]): TextPosition
  /** The agent that a Markdown file defines; null for docket.json, whose entries change what others define. */
  defines: string | null
}

/**
 * Of several Markdown files for one agent only the last counts, as a whole: half of one and half of another would be
 * neither. Each of the others is a problem.
 * @param sources lowest priority first
 */
export function nearestAgents(sources: readonly CountingSource[]): {
  kept: CountingSource[]
  problems: ConfigProblem[]
} {
  const nearest = new Map(sources.map(({ defines, file }) => [defines, file]))
  const isLeftOut = ({ defines, file }: CountingSource) => defines !== null && nearest.get(defines) !== file
  const problems = sources.filter(isLeftOut).map(({ defines, file }): ConfigProblem => {
    const message = `there are two files for the agent "${defines}": ${nearest.get(defines)} is nearer and counts, this one does not.`
    return { file, line: 1, column: 1, message }
  })
  return { kept: sources.filter((source) => !isLeftOut(source)), problems }
}
