import { realpath } from "node:fs/promises"
import { join } from "node:path"
import {
  type ConfigProblem,
  didYouMean,
  isRecord,
  nodesAt,
  type ProvidedFile,
  type ProvidingProject,
  properties,
  readJsonTree,
  readSettingsText,
  scriptsOfHooks,
  textPosition,
} from "@docket/core/other-programs"
import { HookHandler, type HooksConfig, hookEvents, otherHookEvents } from "@docket/core/schema"
import type { Node, ParseError } from "jsonc-parser"

const names = [".claude/settings.json", ".claude/settings.local.json"]

interface FoundHooks {
  files: ProvidedFile[]
  problems: ConfigProblem[]
}

/** The hooks in a project's Claude Code settings, from its top down; with each file the scripts that it runs. */
export async function findClaudeHooks({ top, levels, glance, home }: ProvidingProject): Promise<FoundHooks> {
  const found: FoundHooks = { files: [], problems: [] }
  for (const level of levels) {
    const files = await glance.present(
      names.map((name) => join(level, name)),
      (file) => file,
    )
    // What lies in the home directory is the user's own.
    if (files.length === 0 || level === (await realpath(home).catch(() => home))) continue
    for (const file of files) {
      // What cannot be read is reported where its denials are.
      const text = await readSettingsText(file, top).catch(() => null)
      if (text === null) continue
      const { hooks, problems } = hooksOf(file, text)
      found.problems.push(...problems)
      if (hooks === null) continue
      const shown = file.slice(top.length + 1)
      const beside = await scriptsOfHooks(hooks, { top, level })
      const kept = { text: JSON.stringify(hooks, null, 2), beside, notes: notesOf(hooks) }
      found.files.push({ kind: "hook", name: shown, file, ...kept })
    }
  }
  return found
}

/** The hooks in the user's own Claude Code settings. */
export async function ownClaudeHooks({ home }: { home: string }): Promise<FoundHooks> {
  const file = join(home, names[0] ?? "")
  const text = await readSettingsText(file, null).catch(() => null)
  if (text === null) return { files: [], problems: [] }
  const { hooks, problems } = hooksOf(file, text)
  if (hooks === null) return { files: [], problems }
  const shown = { text: JSON.stringify(hooks, null, 2), notes: notesOf(hooks) }
  return { files: [{ kind: "hook", name: `~/${names[0]}`, file, ...shown }], problems }
}

/** The hooks of a file that can run here, null for none; and one problem for each that cannot. */
export function hooksOf(file: string, text: string): { hooks: HooksConfig | null; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = []
  const errors: ParseError[] = []
  const tree = readJsonTree(text, errors)
  if (tree === undefined || errors.length > 0) return { hooks: null, problems }
  if (nodesAt(tree, ["disableAllHooks"]).at(-1)?.value === true) return { hooks: null, problems }
  const problem = (node: Node, message: string) =>
    problems.push({ file, ...textPosition(text, node.offset), message: `${message} It is not run.` })
  const hooks: HooksConfig = {}
  for (const section of nodesAt(tree, ["hooks"])) {
    for (const { key, value } of properties(section)) {
      if (value === undefined) continue
      const event = hookEvents.find((name) => name === key)
      if (event === undefined) {
        const known = otherHookEvents.includes(key)
        const why = known ? "does not happen in Docket." : `is no event.${didYouMean(key, hookEvents)}`
        problem(value, `Hooks of "${key}": it ${why}`)
      } else hooks[event] = [...(hooks[event] ?? []), ...groupsOf(value, event, problem)]
    }
  }
  const isEmpty = Object.values(hooks).every((groups) => (groups ?? []).length === 0)
  return { hooks: isEmpty ? null : hooks, problems }
}

function groupsOf(
  list: Node,
  event: string,
  problem: (node: Node, message: string) => void,
): NonNullable<HooksConfig["Stop"]> {
  if (list.type !== "array") {
    problem(list, `Hooks of ${event} must be a list.`)
    return []
  }
  return (list.children ?? []).flatMap((group) => {
    const [matcher, handlers] = [nodesAt(group, ["matcher"]).at(-1), nodesAt(group, ["hooks"]).at(-1)]
    if (handlers?.type !== "array" || (matcher !== undefined && typeof matcher.value !== "string")) {
      problem(group, `An entry of ${event} must be {"matcher": "…", "hooks": […]}.`)
      return []
    }
    const hooks = (handlers.children ?? []).flatMap((node) => handlerOf(node, event, problem))
    if (hooks.length === 0) return []
    return [{ ...(matcher !== undefined && { matcher: String(matcher.value) }), hooks }]
  })
}

/** Handlers that ask a model or a server of tools. */
const otherHandlers = ["mcp_tool", "prompt", "agent"]

function handlerOf(node: Node, event: string, problem: (node: Node, message: string) => void): HookHandler[] {
  const value = plainValue(node)
  const type = isRecord(value) ? value.type : undefined
  if (typeof type === "string" && otherHandlers.includes(type)) {
    problem(node, `A hook of ${event} has the type "${type}", which Docket does not have.`)
    return []
  }
  const parsed = HookHandler.safeParse(value)
  if (parsed.success) return [parsed.data]
  const [issue] = parsed.error.issues
  problem(node, `A hook of ${event} is wrong at ${issue?.path.join(".") || "its type"}: ${issue?.message ?? ""}.`)
  return []
}

function plainValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plainValue)
  if (node.type !== "object") return node.value
  const entries = properties(node).flatMap(({ key, value }) =>
    value === undefined || key === "__proto__" ? [] : [[key, plainValue(value)]],
  )
  return Object.fromEntries(entries)
}

function notesOf(hooks: HooksConfig): string[] {
  const notes = hookEvents.flatMap((event) =>
    (hooks[event] ?? []).flatMap(({ matcher, hooks: handlers }) => {
      const at = matcher === undefined || matcher === "" || matcher === "*" ? event : `${event} of ${matcher}`
      return handlers.map((handler) =>
        handler.type === "command"
          ? `Runs \`${[handler.command, ...(handler.args ?? [])].join(" ")}\` at ${at}.`
          : `Sends what agents do to ${handler.url} at ${at}.`,
      )
    }),
  )
  return [...new Set(notes)]
}
