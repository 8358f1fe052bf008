import type { PermissionRequest, PermissionRuleset } from "../schema/permission.ts"
import { matchWildcard } from "./wildcard.ts"

const between = " < "

/**
 * Patterns that allow one command to read files from now on, as `npm test < .env`. None where a name contains a
 * wildcard or ` < `, since such a pattern would allow more.
 */
export function readsOfCommand(command: string, files: readonly string[]): string[] {
  const isPlain = (text: string) => !/[*?]/.test(text)
  const canBeNamed = files.every((file) => isPlain(file) && !file.includes(between))
  if (!isPlain(command) || !canBeNamed) return []
  return files.map((file) => `${command}${between}${file}`)
}

/** Whether a pattern that was allowed for good lets a command read a file. */
export function allowsReadOf(pattern: string, { command, file }: { command: string; file: string }): boolean {
  const at = pattern.lastIndexOf(between)
  if (at < 0) return false
  return matchWildcard(pattern.slice(0, at), command) && matchWildcard(pattern.slice(at + between.length), file)
}

/** Whether a pattern of `read` is about what one command reads, as `npm test < .env`. */
export function isReadOfCommand(pattern: string): boolean {
  return pattern.includes(between)
}

/** The command for which a request asks to read files; undefined when it asks for another thing. */
export function readingCommand({
  permission,
  metadata,
}: Pick<PermissionRequest, "permission" | "metadata">): string | undefined {
  return permission === "read" && metadata.kind === "command" ? metadata.command.trim() : undefined
}

/** The patterns of all rules that deny or ask for a permission, except those for everything (`*`). */
export function restrictedPatterns(permission: string, rulesets: readonly PermissionRuleset[]): string[] {
  const restricting = rulesets.flatMap((rules) =>
    rules.filter((rule) => rule.action !== "allow" && !/^\*+$/.test(rule.pattern)),
  )
  return [...new Set(restricting.flatMap((rule) => (matchWildcard(rule.permission, permission) ? rule.pattern : [])))]
}
