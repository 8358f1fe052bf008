import { nearestNames } from "../../ground/error/nearest-name.ts"
import type { OtherMetadata } from "../../ground/schema/tool-metadata.ts"
import { argumentShape, parseArguments } from "./parse-arguments.ts"
import type { Tool, ToolContext, ToolResult } from "./tool.ts"
import { truncateOutput } from "./truncate-output.ts"

/**
 * Runs one tool call: checks the arguments, executes, and shortens an output over 2,000 lines or 51,200 bytes (the full
 * text is saved in `context.outputDirectory`). A tool that sets `metadata.truncated` has shortened its output itself.
 * `after` may change the result before it is shortened.
 * @throws Error with a text for the model when the arguments are wrong or the tool fails
 */
export async function runTool(
  tool: Tool,
  rawInput: unknown,
  context: ToolContext,
  after: (result: ToolResult) => Promise<ToolResult> = async (result) => result,
): Promise<ToolResult> {
  const args = parseArguments(tool, rawInput)
  context.signal.throwIfAborted()
  const result = await after(await tool.execute(args, context))
  const output = withoutNul(result.output)
  const title = withoutNul(result.title)
  if (typeof result.metadata.truncated === "boolean") return { ...result, title, output }
  const shortened = await truncateOutput(output, {
    directory: context.outputDirectory,
    partID: context.partID,
    longest: tool.longestOutput,
  })
  if (shortened.outputPath === null) return { ...result, title, output }
  const truncation: OtherMetadata = { truncated: true, outputPath: shortened.outputPath }
  return { ...result, title, output: shortened.output, metadata: { ...result.metadata, ...truncation } }
}

/** PostgreSQL stores no NUL character in text or JSON. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\uFFFD")
}

/** Tool names of other agents, which models know from training; their arguments differ from ours. */
const foreign: Record<string, string> = {
  cat: "read",
  view: "read",
  readfile: "read",
  createfile: "write",
  writefile: "write",
  editfile: "edit",
  strreplace: "edit",
  multiedit: "edit",
  replace: "edit",
  shell: "bash",
  sh: "bash",
  exec: "bash",
  execute: "bash",
  terminal: "bash",
  runcommand: "bash",
  runshellcommand: "bash",
  find: "glob",
  findfiles: "glob",
  search: "grep",
  ripgrep: "grep",
  searchfiles: "grep",
  ls: "list",
  listdir: "list",
  listfiles: "list",
  listdirectory: "list",
  writetodos: "todowrite",
  updatetodos: "todowrite",
  gettodos: "todoread",
  readtodos: "todoread",
  updatetodo: "todoupdate",
  todoedit: "todoupdate",
  agent: "task",
  subagent: "task",
  delegate: "task",
  ask: "question",
  askuser: "question",
  askuserquestion: "question",
  askquestion: "question",
}

/**
 * The known tool that a model spelled differently: in another case, with other separators or after `functions.`
 * (`Todo_Write`). Null when there is none, because any other match would be a guess.
 */
export function repairToolName(name: string, known: readonly string[]): string | null {
  if (known.includes(name)) return name
  const plain = simplify(name)
  return known.find((id) => simplify(id) === plain) ?? null
}

const nobodyToAsk =
  "Nobody can be asked from here: decide by yourself what you would have asked, and say in your answer what you assumed."

function simplify(name: string): string {
  return name
    .toLowerCase()
    .replace(/^functions?[._:]/, "")
    .replace(/[^a-z0-9]/g, "")
}

/** The text for the model after it called a tool that does not exist or is not offered. */
export function unknownToolMessage(name: string, offered: readonly Pick<Tool, "id" | "parameters">[]): string {
  const ids = offered.map(({ id }) => id)
  const meant = meantBy(name, ids)
  if (meant === "question" && !ids.includes(meant)) return nobodyToAsk
  const none = `There is no tool called ${JSON.stringify(name.slice(0, 100))}.`
  if (ids.length === 0) return `${none} No tools are available now; answer in text.`
  const nearest = offered.find(({ id }) => id === meant)
  const list = `The tools are: ${ids.join(", ")}.`
  if (nearest === undefined) return `${none} ${list}`
  return `${none} The nearest is ${nearest.id}, which takes ${argumentShape(nearest)}. Nothing was run: call it by its name, with its arguments. ${list}`
}

/** The tool that corresponds to a foreign name or is most similar to it; null for none. */
function meantBy(name: string, ids: readonly string[]): string | null {
  const plain = simplify(name)
    .slice(0, 100)
    .replace(/(.)tool$/, "$1")
  if (plain === "question") return "question"
  if (ids.includes(plain)) return plain
  return (Object.hasOwn(foreign, plain) && foreign[plain]) || (nearestNames(plain, ids, 1)[0] ?? null)
}
