import path from "node:path"
import { parsePatch } from "@docket/core/parse-patch"
import type { ToolOrigin } from "@docket/core/tool"

type Input = Record<string, unknown>

/** A call in the words of Claude Code. */
export interface ClaudeCall {
  /** What Claude Code calls the tool, then other names for it. */
  names: readonly [string, ...string[]]
  input: Input
  /** The arguments in the words of Docket. */
  back(input: Input): Input
}

/** A tool of Docket with the names of Claude Code: of the tool, and of arguments that differ. */
interface Words {
  names: readonly [string, ...string[]]
  keys?: Readonly<Record<string, string>>
  /** Arguments of the items of a list. */
  items?: { list: string; keys: Readonly<Record<string, string>> }
}

const file = { filePath: "file_path" }
const change = { oldString: "old_string", newString: "new_string", replaceAll: "replace_all" }

const words: Readonly<Record<string, Words>> = {
  bash: { names: ["Bash"] },
  read: { names: ["Read"], keys: file },
  write: { names: ["Write"], keys: file },
  edit: { names: ["Edit"], keys: { ...file, ...change } },
  multiedit: { names: ["MultiEdit", "Edit"], keys: file, items: { list: "edits", keys: change } },
  grep: { names: ["Grep"], keys: { include: "glob" } },
  glob: { names: ["Glob"] },
  list: { names: ["LS"] },
  task: { names: ["Task", "Agent"] },
  async_task: { names: ["Task", "Agent"], keys: { agent: "subagent_type" } },
  todowrite: { names: ["TodoWrite"] },
  todoread: { names: ["TodoRead"] },
  webfetch: { names: ["WebFetch"] },
  websearch: { names: ["WebSearch"] },
  skill: { names: ["Skill"], keys: { name: "skill" } },
  question: { names: ["AskUserQuestion"] },
  plan_enter: { names: ["EnterPlanMode"] },
  plan_exit: { names: ["ExitPlanMode"] },
  lsp: { names: ["LSP"], keys: file },
}

/** Arguments that name a file or a directory: Claude Code sends whole paths. */
const paths = new Set(["file_path", "path"])

/** What hooks read of a call, and the way back. `args` are as the tool would read them. */
export function toClaudeCall(
  call: { tool: string; origin?: ToolOrigin | undefined; args: Input },
  directory: string,
): ClaudeCall {
  const { names = namesOf(call), keys = {}, items } = words[call.tool] ?? {}
  const renamed = withNames(call.args, keys)
  if (items && Array.isArray(renamed[items.list])) renamed[items.list] = renameItems(renamed[items.list], items.keys)
  const input = Object.fromEntries(
    Object.entries(renamed).map(([key, value]) => [key, isPath(key, value) ? path.resolve(directory, value) : value]),
  )
  return {
    names: names[0] === call.tool ? names : [...names, call.tool],
    input,
    back(given) {
      // What stays the same keeps the words of the model.
      const kept = Object.entries(given).map(([key, value]) => [key, value === input[key] ? renamed[key] : value])
      const back = withNames(Object.fromEntries(kept), reversed(keys))
      if (items && Array.isArray(back[items.list]))
        back[items.list] = renameItems(back[items.list], reversed(items.keys))
      return back
    },
  }
}

/**
 * A patch as the edits and new files that it makes, so that hooks for these see them; none for other tools and for a text
 * that is no patch.
 */
export function filesOfPatch({ tool, args }: { tool: string; args: Input }, directory: string): ClaudeCall[] {
  if (tool !== "apply_patch" || typeof args.patchText !== "string") return []
  let changes: ReturnType<typeof parsePatch>
  try {
    changes = parsePatch(args.patchText)
  } catch {
    return []
  }
  const call = (name: string, input: Input): ClaudeCall => ({ names: [name], input, back: (given) => given })
  return changes.flatMap((one) => {
    const file_path = path.resolve(directory, one.path)
    if (one.kind === "add") return [call("Write", { file_path, content: one.text })]
    if (one.kind === "delete") return [call("Edit", { file_path, old_string: "", new_string: "" })]
    const lines = one.chunks.flatMap((chunk) => chunk.lines)
    const without = (left: string) => lines.flatMap(({ kind, text }) => (kind === left ? [] : [text])).join("\n")
    const [old_string, new_string] = [without("added"), without("removed")]
    const edit = call("Edit", { file_path, old_string, new_string })
    if (one.moveTo === null) return [edit]
    return [edit, call("Write", { file_path: path.resolve(directory, one.moveTo), content: new_string })]
  })
}

function namesOf({ tool, origin }: { tool: string; origin?: ToolOrigin | undefined }): [string, ...string[]] {
  return origin?.kind === "mcp" ? [`mcp__${origin.name}__${origin.tool}`] : [tool]
}

function withNames(input: Input, names: Readonly<Record<string, string>>): Input {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [names[key] ?? key, value]))
}

function renameItems(list: unknown, names: Readonly<Record<string, string>>): unknown {
  if (!Array.isArray(list)) return list
  return list.map((item) => (typeof item === "object" && item !== null ? withNames(item as Input, names) : item))
}

function reversed(names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([own, theirs]) => [theirs, own]))
}

function isPath(key: string, value: unknown): value is string {
  return paths.has(key) && typeof value === "string" && value !== ""
}
