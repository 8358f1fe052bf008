import type { CommandEffects } from "../schema/index.ts"

/** Items that a fact shows; the rest are counted. */
const maxShown = 12

export interface CommandFact {
  label: string
  items: string[]
  /** Items that are not shown. */
  rest: number
}

/** What is known of a command beyond its text. A single command that runs as it stands is not said twice. */
export function factsOf({ runs, writes, reads, outside }: CommandEffects, command: string): CommandFact[] {
  const isPlain = runs.length === 1 && runs[0] === command.trim()
  const facts: [label: string, items: string[]][] = [
    ["Runs", isPlain ? [] : runs],
    ["Writes", writes],
    ["Names", reads],
    ["Outside", outside],
  ]
  return facts
    .filter(([, items]) => items.length > 0)
    .map(([label, items]) => ({
      label,
      items: items.slice(0, maxShown),
      rest: Math.max(0, items.length - maxShown),
    }))
}
