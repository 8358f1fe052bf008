import type { Migration } from "@docket/compat/migrate"
import { visibleText } from "@docket/core/rule"

const programs = { opencode: "OpenCode", claude: "Claude Code" }

/** What would be written, which files it comes from, what stays where it is, and what has no counterpart. */
export function migrationLines({ from, read, target, stays, config, notes }: Migration): string[] {
  const unmatched = notes.map(({ file, key, message }) => `  ${[file, key].filter(Boolean).join(": ")}: ${message}`)
  return [
    `${programs[from]}, from ${read.join(", ")}`,
    `${target} would be:`,
    ...JSON.stringify(config, null, 2).split("\n"),
    ...(stays.length > 0 ? ["read by Docket where it is:", ...stays.map((place) => `  ${place}`)] : []),
    ...(unmatched.length > 0 ? ["has no counterpart:", ...unmatched] : []),
  ].map(visibleText)
}
