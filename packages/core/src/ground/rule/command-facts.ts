import type { CommandEffects } from "../schema/index.ts"

/** Items that a fact shows; the rest are counted. */
const maxShown = 12

export interface CommandFact {
  label: string
  /** `unknown`: commands whose changes are not known. */
  kind: "names" | "words" | "unknown"
  items: string[]
  /** Items that are not shown. */
  rest: number
}

/** The known facts about a command beyond its text. A single command that runs as written is not repeated. */
export function factsOf(effects: CommandEffects, command: string): CommandFact[] {
  const { runs, writes, removes = [], downloads = [], notes = [], unknown = [], reads, outside } = effects
  const isPlain = runs.length === 1 && runs[0] === command.trim()
  // What is written or removed needs no second line.
  const named = reads.filter((file) => !writes.includes(file) && !removes.includes(file))
  const facts: [label: string, items: string[], kind?: CommandFact["kind"]][] = [
    ["Runs", isPlain ? [] : runs],
    ["Removes", removes],
    ["Writes", writes],
    ["Fetches", downloads],
    ["Also", notes, "words"],
    ["Names", named],
    ["Outside", outside],
    ["Unclear", unknown, "unknown"],
  ]
  return facts
    .filter(([, items]) => items.length > 0)
    .map(([label, items, kind = "names"]) => ({
      label,
      kind,
      items: items.slice(0, maxShown),
      rest: Math.max(0, items.length - maxShown),
    }))
}
