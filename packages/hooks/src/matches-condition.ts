import path from "node:path"
import { matchWildcard } from "@docket/core/rule"
import type { ClaudeCall } from "./claude-call.ts"

/** Where a shell command ends and the next one begins. */
const between = /&&|\|\||[;|&\n]/
/** What may stand before the name of a command. */
const assignments = /^(?:\w+=\S*\s+)+/
/** Substitutions run commands that a look at the text does not tell. */
const hidden = /\$\(|`|<\(/

/**
 * Whether the condition `if` of a hook holds: a rule such as `Bash(git *)` or `Edit(src/**)`. Where a look cannot tell, it
 * holds: a hook runs once too often rather than once too seldom.
 */
export function matchesCondition(rule: string, { names, input }: ClaudeCall, directory: string): boolean {
  const [, tool = "", pattern] = /^([\w*-]+)(?:\((.*)\))?$/s.exec(rule.trim()) ?? []
  if (tool === "" || !(tool === "*" || names.some((name) => matchWildcard(tool, name)))) return false
  if (pattern === undefined || pattern === "" || pattern === "*") return true
  if (typeof input.command === "string") return matchesCommand(pattern, input.command)
  const named = [input.file_path, input.path, input.url, input.subagent_type, input.skill].find(
    (value) => typeof value === "string",
  )
  if (typeof named !== "string") return true
  if (!path.isAbsolute(named)) return matchWildcard(pattern, named) || matchesHost(pattern, named)
  const inside = path.relative(directory, named)
  const plain = pattern.replace(/^\.?\//, "").replaceAll("**/", "*")
  return [named, inside].some((each) => matchWildcard(plain, each) || matchWildcard(pattern, each))
}

function matchesCommand(pattern: string, command: string): boolean {
  if (hidden.test(command)) return true
  const wanted = pattern.replace(/:\*$/, " *")
  return command.split(between).some((part) => {
    const bare = part.trim().replace(assignments, "")
    return matchWildcard(wanted, bare)
  })
}

/** `domain:example.com` */
function matchesHost(pattern: string, url: string): boolean {
  const host = /^domain:(.+)$/.exec(pattern)?.[1]
  return host !== undefined && URL.canParse(url) && matchWildcard(host, new URL(url).hostname)
}
