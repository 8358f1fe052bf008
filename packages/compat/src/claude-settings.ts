import { join } from "node:path"
import { isRecord } from "@docket/core/other-programs"
import type { PermissionAction } from "@docket/core/schema"
import { translateClaudeRule } from "./claude-rule.ts"

/** A note for the user, for example about a setting without a counterpart. */
export interface MigrationNote {
  file: string
  /** The key or rule in the file; empty when the note is about the whole file. */
  key: string
  message: string
}

/** Settings of another program, translated for Docket. */
export interface Migrated {
  config: Record<string, unknown>
  notes: MigrationNote[]
}

interface SettingsFile {
  file: string
  value: Record<string, unknown>
}

/** Actions by tool and pattern; the last match decides. */
type Rules = Map<string, Map<string, PermissionAction>>

interface Translation {
  config: Record<string, unknown>
  rules: Rules
  notes: MigrationNote[]
}

/** Tools for which Claude Code asks unless a rule decides otherwise. */
const askedTools = ["bash", "edit", "webfetch", "websearch"]
/** Deny wins over ask, and ask over allow. */
const weakestFirst = ["allow", "ask", "deny"] as const

/** Keys without a counterpart, with what to do instead. */
const instead: Readonly<Record<string, string>> = {
  apiKeyHelper: "save a key in Settings, or name a variable with {env:…}",
  env: "set these variables before you start Docket; their values are not copied",
  mcpServers: "servers are read from .mcp.json; those here are not",
  outputStyle: "write it into the prompt of an agent",
  sandbox: "commands are in Docket's own sandbox; its `sandbox` says what they reach",
  statusLine: "the page shows model, cost and context itself",
}

/**
 * Translates Claude Code settings; later files override earlier ones. The result allows no more than before: deny wins
 * over ask, ask over allow, and what no rule covers is asked.
 */
export function fromClaudeSettings(files: readonly SettingsFile[]): Migrated {
  const translation: Translation = { config: {}, rules: new Map(), notes: [] }
  const base =
    files.map((settings) => takeSettings(settings, translation)).findLast((action) => action !== null) ?? "ask"
  for (const tool of askedTools) setRule(translation.rules, { permission: tool, patterns: ["*"] }, base)
  for (const action of weakestFirst) {
    for (const settings of files) takeRules(settings, action, translation)
  }
  const { config, rules, notes } = translation
  const permission = Object.fromEntries([...rules].map(([tool, patterns]) => [tool, Object.fromEntries(patterns)]))
  // The rules for everyone must not let the explore agent edit.
  return { config: { ...config, permission, agent: { explore: { permission: { edit: "deny" } } } }, notes }
}

/** Takes everything except the lists of rules. @returns the default action, if the file sets one */
function takeSettings({ file, value }: SettingsFile, { config, rules, notes }: Translation): PermissionAction | null {
  // Hooks run where they are.
  const { $schema: _schema, permissions, model, hooks: _hooks, ...rest } = value
  for (const key of Object.keys(rest)) {
    notes.push({ file, key, message: (Object.hasOwn(instead, key) && instead[key]) || "Docket has nothing like it" })
  }
  if (typeof model === "string" && /^claude-[\w.-]+$/.test(model)) config.model = `anthropic/${model}`
  else if (model !== undefined)
    notes.push({ file, key: "model", message: 'write it whole, as "anthropic/claude-sonnet-5"' })
  if (!isRecord(permissions)) return null
  for (const directory of listOf(permissions.additionalDirectories).map(String)) {
    const isPlain = /^~?\//.test(directory) && !/[*?]/.test(directory)
    if (isPlain) setRule(rules, { permission: "external_directory", patterns: [join(directory, "*")] }, "allow")
    else
      notes.push({
        file,
        key: "permissions.additionalDirectories",
        message: `${directory} is asked for: write its whole path`,
      })
  }
  const mode = permissions.defaultMode
  if (mode === "plan") config.default_agent = "plan"
  else if (mode !== undefined && mode !== "default" && mode !== "dontAsk") {
    notes.push({
      file,
      key: "permissions.defaultMode",
      message: `"${String(mode)}" is not taken over; what no rule covers is asked`,
    })
  }
  return mode === "dontAsk" ? "deny" : null
}

function takeRules({ file, value }: SettingsFile, action: PermissionAction, { rules, notes }: Translation): void {
  const { permissions } = value
  if (!isRecord(permissions)) return
  for (const rule of listOf(permissions[action]).map(String)) {
    const key = `permissions.${action}: ${rule}`
    const translated = translateClaudeRule(rule, action)
    if ("left" in translated) notes.push({ file, key, message: translated.left })
    else {
      setRule(rules, translated, action)
      if (translated.note !== undefined) notes.push({ file, key, message: translated.note })
    }
  }
}

/** A repeated pattern moves to the end, where it decides. */
function setRule(
  rules: Rules,
  { permission, patterns }: { permission: string; patterns: readonly string[] },
  action: PermissionAction,
): void {
  const byPattern = rules.get(permission) ?? new Map<string, PermissionAction>()
  for (const pattern of patterns) {
    byPattern.delete(pattern)
    byPattern.set(pattern, action)
  }
  rules.set(permission, byPattern)
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
