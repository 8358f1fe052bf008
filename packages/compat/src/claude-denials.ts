import { join, relative, resolve, sep } from "node:path"
import {
  askingFor,
  isWithin,
  nodesAt,
  type OtherSetup,
  properties,
  type ReadProject,
  readJsonTree,
  readSettingsText,
  textPosition,
  unreadableReason,
} from "@docket/core/other-programs"
import type { Node, ParseError } from "jsonc-parser"
import { translateClaudeRule } from "./claude-rule.ts"

/** The denials in a project's Claude Code settings. */
export interface ClaudeDenials extends Pick<OtherSetup, "denials" | "problems" | "closures"> {
  /** The existing files, with the number of denials in each, and whether it sets hooks. */
  files: { file: string; denials: number; hasHooks: boolean }[]
}

/** The place of a settings file, and the directory of its relative paths. */
interface Place {
  level: string
  /** The project's top directory; files in it are named relative to it. */
  worktree: string
  home: string
}

const names = [".claude/settings.json", ".claude/settings.local.json"]
const untilMended = "Everything is asked until this is mended."

/**
 * Reads the denials of a project's Claude Code settings, from its top directory down to the opened one. They only
 * restrict permissions, so they need no trust. When a file's denials cannot be read, everything is asked.
 */
export async function readClaudeDenials(
  levels: readonly string[],
  { worktree, top, glance, home }: ReadProject,
): Promise<ClaudeDenials> {
  const all: ClaudeDenials = { files: [], denials: [], problems: [], closures: [] }
  for (const level of levels) {
    const files = names.map((name) => join(level, name))
    for (const file of await glance.present(files, (name) => name)) {
      const text = await readSettings(file, top)
      if (text === null) continue
      const found = typeof text === "string" ? denialsOf({ file, text }, { level, worktree, home }) : unread(file, text)
      all.files.push(...found.files)
      all.denials.push(...found.denials)
      all.problems.push(...found.problems)
      all.closures.push(...found.closures)
    }
  }
  return all
}

/** @returns null when the file does not exist, and the failure when it cannot be read */
function readSettings(file: string, within: string): Promise<string | { reason: string } | null> {
  return readSettingsText(file, within).catch((error: unknown) => ({ reason: unreadableReason(error) }))
}

function unread(file: string, { reason }: { reason: string }): ClaudeDenials {
  const problem = { file, line: null, column: null, message: `${reason}. ${untilMended}` }
  return {
    files: [{ file, denials: 0, hasHooks: false }],
    denials: [],
    problems: [problem],
    closures: [askingFor(null)],
  }
}

function denialsOf({ file, text }: { file: string; text: string }, place: Place): ClaudeDenials {
  const errors: ParseError[] = []
  const tree = readJsonTree(text, errors)
  const found: ClaudeDenials = { files: [], denials: [], problems: [], closures: [] }
  const problem = (node: Node | undefined, message: string) =>
    found.problems.push({ file, ...textPosition(text, node?.offset ?? 0), message })
  const askEverything = (node: Node | undefined, message: string) => {
    problem(node, `${message}. ${untilMended}`)
    found.closures = [askingFor(null)]
  }
  const sections = tree === undefined ? [] : nodesAt(tree, ["permissions"])
  const lists = sections.flatMap((section) => nodesAt(section, ["deny"]))
  const unfit = sections.find(({ type }) => type !== "object") ?? lists.find(({ type }) => type !== "array")
  if (errors.length > 0 || tree?.type !== "object")
    askEverything(undefined, "is no valid JSON, so nobody knows what it denies")
  else if (unfit !== undefined)
    askEverything(unfit, "What this denies cannot be read: permissions.deny must be a list of rules")
  const rules = lists.flatMap(({ children = [], type }) => (type === "array" ? children : []))
  for (const node of rules) {
    if (typeof node.value !== "string") {
      askEverything(node, "This denial is no text")
      continue
    }
    const translated = translateClaudeRule(node.value, "deny")
    const denial = `The denial "${node.value}"`
    if ("left" in translated) problem(node, `${denial} does nothing here: ${translated.left}.`)
    else {
      if (translated.note !== undefined)
        problem(node, `${denial} covers everything of the tool: Docket cannot say it as narrowly.`)
      const { permission } = translated
      const patterns = translated.patterns.flatMap((pattern) => placed(permission, pattern, place))
      const at = textPosition(text, node.offset)
      found.denials.push(...patterns.map((pattern) => ({ file, ...at, permission, pattern })))
    }
  }
  const hasHooks = tree !== undefined && properties(tree).some(({ key }) => key === "hooks")
  found.files.push({ file, denials: rules.length, hasHooks })
  return found
}

/**
 * A file pattern as Docket writes it: relative to the project's top directory inside the project, otherwise absolute.
 */
function placed(permission: string, pattern: string, { level, worktree, home }: Place): string[] {
  if ((permission !== "read" && permission !== "edit") || pattern === "*") return [pattern]
  const isWhole = pattern.startsWith("/") || pattern.startsWith("~/")
  const whole = pattern.startsWith("~/") ? join(home, pattern.slice(2)) : resolve(level, pattern)
  if (!isWithin(worktree, whole)) return [isWhole ? pattern : whole]
  return [...(isWhole ? [pattern] : []), relative(worktree, whole).split(sep).join("/")]
}
