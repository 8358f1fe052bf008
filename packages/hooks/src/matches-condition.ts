import path from "node:path"
import { analyseScript } from "@docket/core/command-analysis"
import { commandPatterns } from "@docket/core/command-patterns"
import { matchWildcard, UNKNOWN_PATTERN } from "@docket/core/rule"
import type { ClaudeCall } from "./claude-call.ts"

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

/** By the commands that rules of permissions see: also those behind `sudo`, `env` or `bash -c`, and in substitutions. */
function matchesCommand(pattern: string, command: string): boolean {
  const wanted = pattern.replace(/:\*$/, " *")
  const commands = analyseScript(command)
  const written = (commands ?? []).map(({ words }) => words.map(({ value }) => value).join(" "))
  const { patterns } = commandPatterns(commands)
  return patterns.includes(UNKNOWN_PATTERN) || [...written, ...patterns].some((each) => matchWildcard(wanted, each))
}

/** `domain:example.com` */
function matchesHost(pattern: string, url: string): boolean {
  const host = /^domain:(.+)$/.exec(pattern)?.[1]
  return host !== undefined && URL.canParse(url) && matchWildcard(host, new URL(url).hostname)
}
