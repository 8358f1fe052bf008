import type { PreviewedPattern } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { PermissionAction, PermissionRule } from "@docket/core/schema"

/** The action of each permission, as used after "may". */
const acts: Record<string, string> = {
  "*": "do everything else",
  bash: "run commands",
  bash_change: "run commands that may change something",
  doom_loop: "repeat the same call again and again",
  edit: "change files",
  external_directory: "use files outside the project",
  glob: "list files by pattern",
  grep: "search in files",
  list: "list directories",
  memory: "use memory",
  plan_enter: "switch to planning",
  plan_exit: "end planning",
  question: "ask you questions",
  read: "read files",
  sandbox: "run commands outside the sandbox",
  schedule: "plan prompts for later",
  skill: "load skills",
  task: "hand work to other agents",
  todoread: "read the todo list",
  todowrite: "change the todo list",
  webfetch: "fetch web pages",
  websearch: "search the web",
}

const modals: Record<PermissionRule["action"], string> = { allow: "May", ask: "Asks before it may", deny: "May not" }

/** Actions that can be tried, as the continuation of "May build …"; the most common first. */
export const trialActs: readonly { value: string; label: string; example: string }[] = [
  { value: "bash", label: "run", example: "git push origin main" },
  { value: "edit", label: "change the file", example: "src/index.ts" },
  { value: "read", label: "read the file", example: ".env" },
  { value: "task", label: "hand work to", example: "explore" },
]

/** The action of a permission, as used before the command or file. */
export function askedLabel(permission: string): string {
  if (permission === "external_directory") return "use files of"
  const words = { bash: "run", edit: "change", read: "read", sandbox: "run outside the sandbox" }
  const act = { ...words, bash_change: "let something be changed by" }[permission]
  return act ?? visibleText(permission)
}

export const actionLabels: Record<PermissionAction, string> = { allow: "Allowed", ask: "Asks you", deny: "Refused" }

/** Why something is allowed, asked or refused: the deciding rule and its source. */
export function decisionMessage(judged: PreviewedPattern, projectDirectory: string | null): string {
  const { rule, of, action, pattern, from } = judged
  const who = of === "caller" ? `, of ${visibleText(judged.agent)}, which hands it the work` : ""
  if (rule !== null) {
    const where =
      of === "configuration" && from === null
        ? "the project’s own configuration, which you do not trust yet"
        : sourceLabel(from, projectDirectory)
    return `${ruleLabel(rule)} (${where})${who}`
  }
  if (action === "allow") return "Nothing restricts it"
  return pattern === "*"
    ? `What it runs is known only when it runs, and some commands are restricted${who}`
    : `No rule covers it${who}`
}

/** Sentences for the rule that matches everything else. */
const otherwiseLabels: Record<PermissionAction, string> = {
  allow: "May do everything else",
  ask: "Asks before it may do anything else",
  deny: "May do nothing else",
}

/** A rule as a sentence. Patterns come from a configuration, so their invisible characters are made visible. */
export function ruleLabel({ permission, pattern, action }: PermissionRule): string {
  if (permission === "*" && pattern === "*") return otherwiseLabels[action]
  const act = Object.hasOwn(acts, permission) ? acts[permission] : `use “${visibleText(permission)}”`
  const about = pattern === "*" ? "" : `: ${visibleText(pattern)}`
  return `${modals[action]} ${act}${about}`
}

/** The source of a setting: built in, a project file (relative path), or the user's own file. */
export function sourceLabel(file: string | null, projectDirectory: string | null): string {
  if (file === null) return "built in"
  const inside = projectDirectory !== null && file.startsWith(`${projectDirectory.replace(/\/$/, "")}/`)
  return inside
    ? `the project’s ${visibleText(file.slice(projectDirectory.length).replace(/^\//, ""))}`
    : `your ${visibleText(file)}`
}
