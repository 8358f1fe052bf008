import { UNKNOWN_PATTERN } from "../../ground/rule/evaluate.ts"
import type { CommandEffects } from "../../ground/schema/permission.ts"
import type { CommandPaths } from "./command-paths.ts"
import { commandPatterns } from "./command-patterns.ts"
import { innerCommands, mostInner } from "./inner-commands.ts"
import { scriptChanges } from "./script-changes.ts"
import type { ShellCommand } from "./shell-command.ts"

/** Most items listed of each kind. */
const maxListed = 100

/**
 * The effects of a script as far as its text shows them, for the user who is asked; null when it cannot be analysed.
 */
export function commandEffects(commands: ShellCommand[] | null, paths: CommandPaths): CommandEffects | null {
  if (commands === null) return null
  const { external, writes, reads } = paths
  let isCut = false
  const list = (items: string[]) => {
    const known = [...new Set(items)].filter((item) => item !== UNKNOWN_PATTERN)
    isCut ||= known.length > maxListed
    return known.slice(0, maxListed)
  }
  const changes = scriptChanges(commands)
  // `list` leaves these patterns out; `more` tells that there are such.
  const isComputed = [commandPatterns(commands).patterns, external, writes, reads].some((patterns) =>
    patterns.includes(UNKNOWN_PATTERN),
  )
  const lists = {
    runs: list(commands.flatMap((command) => namesOf(command, 0))),
    writes: list([...writes, ...changes.writes]),
    removes: list(changes.removes),
    downloads: list(changes.downloads),
    notes: list(changes.notes),
    unknown: list(changes.unknown),
    reads: list(reads),
    outside: list(external),
  }
  return { ...lists, more: isComputed || changes.computed || isCut }
}

/** A command with its quotes resolved, and the commands that it runs in turn. */
function namesOf(command: ShellCommand, depth: number): string[] {
  const own = [...command.assignments, ...command.words.map(({ value }) => value)].join(" ")
  const inner = depth < mostInner ? innerCommands(command).commands.flatMap((behind) => namesOf(behind, depth + 1)) : []
  return own === "" ? inner : [own, ...inner]
}
