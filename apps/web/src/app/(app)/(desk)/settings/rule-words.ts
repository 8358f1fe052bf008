import { visibleText } from "@docket/core/rule"
import type { PermissionRule } from "@docket/core/schema"

/** What a permission is about, after "may". */
const acts: Record<string, string> = {
  "*": "do everything else",
  bash: "run commands",
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
  schedule: "plan prompts for later",
  task: "hand work to other agents",
  todoread: "read the todo list",
  todowrite: "change the todo list",
  webfetch: "fetch web pages",
  websearch: "search the web",
}

const modals: Record<PermissionRule["action"], string> = { allow: "May", ask: "Asks before it may", deny: "May not" }

/** A rule as a sentence. Patterns are a configuration's words: what cannot be seen in them is shown. */
export function ruleWords({ permission, pattern, action }: PermissionRule): string {
  const act = Object.hasOwn(acts, permission) ? acts[permission] : `use “${visibleText(permission)}”`
  const about = pattern === "*" ? "" : `: ${visibleText(pattern)}`
  return `${modals[action]} ${act}${about}`
}

/** Where something comes from: Docket itself, the project's files by their place in it, or the user's own. */
export function sourceWords(file: string | null, projectDirectory: string | null): string {
  if (file === null) return "built in"
  const inside = projectDirectory !== null && file.startsWith(`${projectDirectory.replace(/\/$/, "")}/`)
  return inside
    ? `the project’s ${visibleText(file.slice(projectDirectory.length).replace(/^\//, ""))}`
    : `your ${visibleText(file)}`
}
