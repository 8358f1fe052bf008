import { isDeepStrictEqual } from "node:util"

type Section = Record<string, unknown>

/** What a plugin made of the configuration. */
export interface ChangedConfig {
  /** Entries that are new or other. */
  agent: Section
  command: Section
  /** Names of the other sections that it changed. */
  others: string[]
}

/** Compares two states of a configuration; both are plain data. */
export function changedConfig(before: Section, after: Section): ChangedConfig {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return {
    agent: changedEntries(before.agent, after.agent),
    command: changedEntries(before.command, after.command),
    others: keys.filter((key) => key !== "agent" && key !== "command" && !isDeepStrictEqual(before[key], after[key])),
  }
}

function changedEntries(before: unknown, after: unknown): Section {
  const known = Object(before) as Section
  return Object.fromEntries(
    Object.entries(Object(after) as Section).filter(([name, value]) => !isDeepStrictEqual(known[name], value)),
  )
}
