import path from "node:path"
import type { ProgramCall } from "@docket/core/agent-programs"
import type { Content, ToolChange, ToolContent } from "./session-update.ts"

/** A call with all changes so far. */
export type KnownCall = Omit<ToolChange, "content" | "locations"> & {
  content: readonly ToolContent[]
  locations: readonly { path: string }[]
  /** Its raw output came after its content. */
  isRawNewer: boolean
}

/** Puts a change over what is known. A list that comes takes the place of the one before. */
export function withChange(known: KnownCall | undefined, change: ToolChange): KnownCall {
  const { content, locations, ...rest } = change
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== null))
  return {
    ...known,
    ...given,
    toolCallId: change.toolCallId,
    content: content ?? known?.content ?? [],
    locations: locations ?? known?.locations ?? [],
    isRawNewer: content == null && (change.rawOutput != null || (known?.isRawNewer ?? false)),
  } as KnownCall
}

const states = { pending: "pending", in_progress: "running", completed: "completed", failed: "failed" } as const

/** A call in Docket's words. `commands` has the commands that run for the agent, by its ids. */
export function describeCall(
  call: KnownCall,
  { directory, commands }: { directory: string; commands: ReadonlyMap<string, { id: string }> },
): ProgramCall {
  const input = inputOf(call.rawInput)
  const diffs = call.content.filter((one) => one.type === "diff")
  const title = call.title ?? ""
  // Some agents tell of a command in nothing but the title.
  const command = call.kind === "execute" ? (commandIn(input) ?? (title === "" ? null : title)) : null
  const url = call.kind === "fetch" ? textIn(input, ["url", "uri"]) : null
  const named = textIn(input, ["file_path", "filePath", "abs_path", "path"])
  const paths =
    diffs.length > 0
      ? diffs.map((diff) => diff.path)
      : [...call.locations.map((location) => location.path), ...(named === null ? [] : [named])]
  const files = [...new Set(paths.map((one) => path.resolve(directory, one)))]
  return {
    id: call.toolCallId,
    tool: toolOf(call.kind ?? "other", { command, url, files }),
    name: (call.name ?? "") || title || (call.kind ?? "other"),
    title,
    input: call.rawInput ?? {},
    state: states[call.status ?? "pending"],
    output: outputOf(call),
    ...{ command, url, files },
    changes: diffs.map((diff) => ({
      file: path.resolve(directory, diff.path),
      before: diff.oldText ?? null,
      after: diff.newText,
    })),
    commands: call.content.flatMap((one) => {
      const id = one.type === "terminal" ? commands.get(one.terminalId)?.id : undefined
      return id === undefined ? [] : [id]
    }),
  }
}

/** Docket's tool that is like a kind of call, where enough is known of the call. */
function toolOf(
  kind: string,
  { command, url, files }: Pick<ProgramCall, "command" | "url" | "files">,
): ProgramCall["tool"] {
  switch (kind) {
    case "execute":
      return command === null ? "acp" : "bash"
    case "edit":
    case "delete":
    case "move":
      return files.length === 0 ? "acp" : "edit"
    case "read":
      return files.length === 0 ? "acp" : "read"
    case "fetch":
      return url === null ? "acp" : "webfetch"
    default:
      return "acp"
  }
}

function inputOf(raw: unknown): Record<string, unknown> {
  return typeof raw === "object" && raw !== null ? { ...raw } : {}
}

function textIn(input: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = input[key]
    if (typeof value === "string" && value !== "") return value
  }
  return null
}

/** The command as a shell reads it. Some agents name the words that they start, a shell with its script among them. */
function commandIn({ command, cmd }: Record<string, unknown>): string | null {
  const given = command ?? cmd
  if (typeof given === "string") return given === "" ? null : given
  if (!Array.isArray(given) || given.length === 0 || !given.every((word) => typeof word === "string")) return null
  const [shell = "", flag = "", script] = given
  const isShell = /^(?:.*\/)?(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag)
  return isShell && given.length === 3 && script !== undefined ? script : shellWords(given)
}

/** Words as one line for a shell. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ")
}

function outputOf({ content, rawOutput, isRawNewer }: KnownCall): string {
  const said = content.flatMap((one) => (one.type === "content" ? [withoutFence(textOf(one.content))] : []))
  const raw = rawText(rawOutput)
  if (said.length > 0 && (!isRawNewer || raw === null)) return said.join("\n")
  if (raw !== null) return raw
  const rest = inputOf(rawOutput)
  return Object.keys(rest).length === 0 ? "" : JSON.stringify(rest)
}

function rawText(rawOutput: unknown): string | null {
  if (typeof rawOutput === "string") return rawOutput
  return textIn(inputOf(rawOutput), ["formatted_output", "aggregated_output", "output", "stdout", "content", "error"])
}

/** Some agents lay a fence around what a command wrote. */
function withoutFence(text: string): string {
  return /^(`{3,})[\w-]*\n([\s\S]*?)\n?\1\s*$/.exec(text)?.[2] ?? text
}

/** What a content says in a transcript of text. */
export function textOf(content: Content): string {
  switch (content.type) {
    case "text":
      return content.text
    case "resource_link":
      return content.uri
    case "resource":
      return content.resource.text ?? content.resource.uri
    default:
      return `[${content.type}]`
  }
}
