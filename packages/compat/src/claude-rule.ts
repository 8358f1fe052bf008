import type { PermissionAction } from "@docket/core/schema"

/** A Claude Code rule, translated for Docket. */
export type TranslatedRule = { permission: string; patterns: string[]; note?: string } | { left: string }

/** The permission for each tool of Claude Code; null where Docket does not ask. */
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
 * Translates one entry of `allow`, `ask` or `deny` so that no more is allowed than before. An allowing rule is left out
 * if Docket's patterns cannot express it as narrowly; an asking or denying rule covers at least as much as before.
 */
export function translateClaudeRule(rule: string, action: PermissionAction): TranslatedRule {
  const [, tool = "", , spec] = /^([\w*-]+)(\((.*)\))?$/s.exec(rule.trim()) ?? []
  if (tool === "*" && spec === undefined && action !== "allow") return { permission: "*", patterns: ["*"] }
  if (tool.startsWith("mcp__")) return { left: "no MCP server is started" }
  const permission = Object.hasOwn(permissions, tool) ? permissions[tool] : undefined
  if (permission === undefined) return { left: "Docket has no such tool" }
  if (permission === null) return { left: "Docket asks no leave for it" }
  // The whole tool, as in `Bash`, `Bash()`, `Bash(*)` and `Bash(:*)`.
  if (spec === undefined || spec.trim() === "" || spec === "*" || spec === ":*") return { permission, patterns: ["*"] }
  const patterns = patternsOf(permission, spec.trim(), action)
  // JavaScript moves keys of digits alone to the front of an object, so such a pattern would lose its place.
  const safe = patterns.filter((pattern) => !/^\d+$/.test(pattern))
  if (safe.length > 0) return { permission, patterns: safe }
  if (action === "allow") return { left: "Docket cannot say it as narrowly; it is asked instead" }
  return {
    permission,
    patterns: ["*"],
    note: "it covers everything of the tool, because Docket cannot say it as narrowly",
  }
}

/** Empty when the rule cannot be expressed: an allowing rule is then left out, any other covers the whole tool. */
function patternsOf(permission: string, spec: string, action: PermissionAction): string[] {
  if (permission === "bash") return commandPatterns(spec, action)
  if (permission === "read" || permission === "edit") return filePatterns(spec, action)
  if (permission === "webfetch") return addressPatterns(spec, action)
  if (permission === "task") return /[*?]/.test(spec) ? [] : [...new Set([spec, spec.toLowerCase()])]
  if (permission === "skill") return /[*?]/.test(spec) ? [] : [spec]
  return []
}

/** `npm run test:*` matches commands that begin with these words; `*` elsewhere matches anything. */
function commandPatterns(spec: string, action: PermissionAction): string[] {
  const prefix = spec.endsWith(":*") ? spec.slice(0, -2).trimEnd() : null
  // In Docket a question mark matches any character.
  if (action === "allow" && spec.includes("?")) return []
  if (prefix === null) return [spec]
  return [action === "allow" ? `${prefix} *` : `${prefix}*`]
}

/**
 * Files by the rules of gitignore: `*` stays within one name, `**` crosses directories, a bare name matches at any
 * depth. Docket's `*` crosses directories, so an allowing rule can only name whole directories and single files.
 */
function filePatterns(spec: string, action: PermissionAction): string[] {
  const path = spec.startsWith("//") ? spec.slice(1) : spec.replace(/^(?:\.?\/)+/, "")
  const hasAnchor = /^(?:\/|\.\/|~\/)/.test(spec)
  const isAnchored = hasAnchor || path.slice(0, -1).includes("/")
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
  // Also denied with a port, a login, or a subdomain.
  return denied === undefined || action === "allow" ? [] : [`*${denied}*`]
}
