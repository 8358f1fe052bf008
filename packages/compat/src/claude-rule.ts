import type { PermissionAction } from "@docket/core/schema"

/** A rule of Claude Code in Docket's words. */
export type TranslatedRule = { permission: string; patterns: string[]; note?: string } | { left: string }

/** Tools of Claude Code by what Docket asks leave for; null where Docket asks nothing. */
const permissions: Readonly<Record<string, string | null>> = {
  Agent: "task",
  Bash: "bash",
  BashOutput: null,
  Edit: "edit",
  ExitPlanMode: "plan_exit",
  Glob: "glob",
  Grep: "grep",
  KillShell: null,
  LS: "list",
  MultiEdit: "edit",
  NotebookEdit: "edit",
  NotebookRead: "read",
  Read: "read",
  Skill: "skill",
  Task: "task",
  TodoWrite: "todowrite",
  WebFetch: "webfetch",
  WebSearch: "websearch",
  Write: "edit",
}

/**
 * Puts one entry of `allow`, `ask` or `deny` into Docket's words, so that no more is allowed than before: what allows is
 * left out where Docket's patterns cannot say it as narrowly, and what asks or denies covers at least what it covered.
 */
export function translateClaudeRule(rule: string, action: PermissionAction): TranslatedRule {
  const [, tool = "", , spec] = /^([\w*-]+)(\((.*)\))?$/s.exec(rule.trim()) ?? []
  if (tool === "*" && spec === undefined && action !== "allow") return { permission: "*", patterns: ["*"] }
  if (tool.startsWith("mcp__")) return { left: "no MCP server is started" }
  const permission = Object.hasOwn(permissions, tool) ? permissions[tool] : undefined
  if (permission === undefined) return { left: "Docket has no such tool" }
  if (permission === null) return { left: "Docket asks no leave for it" }
  if (spec === undefined || spec.trim() === "" || spec === "*" || spec === ":*") return { permission, patterns: ["*"] }
  const patterns = patternsOf(permission, spec.trim(), action)
  const safe = patterns.filter((pattern) => !/^\d+$/.test(pattern))
  if (safe.length > 0) return { permission, patterns: safe }
  if (action === "allow") return { left: "Docket cannot say it as narrowly; it is asked instead" }
  return {
    permission,
    patterns: ["*"],
    note: "it covers everything of the tool, because Docket cannot say it as narrowly",
  }
}

/** None where it cannot be said: then what allows is left out, and all else covers the whole tool. */
function patternsOf(permission: string, spec: string, action: PermissionAction): string[] {
  if (permission === "bash") return commandPatterns(spec, action)
  if (permission === "read" || permission === "edit") return filePatterns(spec, action)
  if (permission === "webfetch") return addressPatterns(spec, action)
  if (permission === "task") return /[*?]/.test(spec) ? [] : [...new Set([spec, spec.toLowerCase()])]
  if (permission === "skill") return /[*?]/.test(spec) ? [] : [spec]
  return []
}

/** `npm run test:*` is what begins with these words; a `*` elsewhere stands for anything. */
function commandPatterns(spec: string, action: PermissionAction): string[] {
  const prefix = spec.endsWith(":*") ? spec.slice(0, -2).trimEnd() : null
  // In Docket a question mark stands for any character.
  if (action === "allow" && spec.includes("?")) return []
  if (prefix === null) return [spec]
  return [action === "allow" ? `${prefix} *` : `${prefix}*`]
}

/**
 * Files, by the rules of gitignore: `*` is within one name, `**` over directories, a name alone is found at any depth.
 * Docket's `*` goes over directories, so of what allows only whole directories and single files can be said.
 */
function filePatterns(spec: string, action: PermissionAction): string[] {
  const path = spec.startsWith("//") ? spec.slice(1) : spec.replace(/^(?:\.?\/)+/, "")
  const isAnchored =
    spec.startsWith("/") || spec.startsWith("./") || spec.startsWith("~/") || path.slice(0, -1).includes("/")
  const isTree = path.endsWith("/**") || path.endsWith("/")
  const inside = path.replace(/\/(?:\*\*)?$/, "")
  const ending = /^\*\*\/(\*\.[\w.-]+)$/.exec(path)?.[1]
  if (action === "allow") {
    if (ending !== undefined) return [ending]
    if (/[*?[\]!]/.test(inside) || inside === "") return []
    if (isTree) return [`${inside}/*`]
    return isAnchored ? [path] : [path, `*/${path}`]
  }
  if (/[[\]!\\]/.test(path) || inside === "") return []
  const wide = inside.replace(/\*\*\/?/g, "*")
  const below = [wide, `${wide}/*`]
  return isAnchored && !path.startsWith("**/") ? below : [...below, ...below.map((pattern) => `*/${pattern}`)]
}

/** `domain:example.com`. */
function addressPatterns(spec: string, action: PermissionAction): string[] {
  const domain = /^domain:([a-z0-9.-]+)$/i.exec(spec)?.[1]?.toLowerCase()
  if (domain !== undefined && action === "allow") return [`https://${domain}`, `https://${domain}/*`]
  const denied = /^domain:\*?\.?([a-z0-9.-]+)$/i.exec(spec)?.[1]?.toLowerCase()
  // Also with a port, a login, or a name below it.
  return denied === undefined || action === "allow" ? [] : [`*${denied}*`]
}
