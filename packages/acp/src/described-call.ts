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

/**
 * Says calls in Docket's words. What has not changed of a call is not read again.
 * @param options.commands the commands that run for the agent, by its ids
 */
export function createDescriber(options: {
  directory: string
  commands: ReadonlyMap<string, { id: string }>
}): (call: KnownCall) => ProgramCall {
  const resolved = (paths: readonly string[]) => [...new Set(paths.map((one) => path.resolve(options.directory, one)))]
  const readings = {
    content: remembered((content: KnownCall["content"]) => readContent(content, options.directory)),
    locations: remembered((locations: KnownCall["locations"]) => resolved(locations.map((one) => one.path))),
    rawOutput: remembered(objectText),
  }
  return (call) => describeCall(call, { ...options, ...readings })
}

interface Readings {
  directory: string
  commands: ReadonlyMap<string, { id: string }>
  content(content: KnownCall["content"]): ContentReading
  locations(locations: KnownCall["locations"]): string[]
  rawOutput(value: object): string
}

interface ContentReading {
  /** Absolute. */
  files: string[]
  changes: ProgramCall["changes"]
  /** Null when there is no text. */
  said: string | null
  terminals: string[]
}

/** Makes each value once, as long as what it is made of is there. */
function remembered<K extends object, V>(make: (from: K) => V): (from: K) => V {
  const made = new WeakMap<K, { value: V }>()
  return (from) => {
    const known = made.get(from) ?? { value: make(from) }
    made.set(from, known)
    return known.value
  }
}

function readContent(content: KnownCall["content"], directory: string): ContentReading {
  const changes = content.flatMap((one) =>
    one.type === "diff"
      ? [{ file: path.resolve(directory, one.path), before: one.oldText ?? null, after: one.newText }]
      : [],
  )
  const said = content.flatMap((one) => (one.type === "content" ? [withoutFence(textOf(one.content))] : []))
  return {
    changes,
    files: [...new Set(changes.map(({ file }) => file))],
    said: said.length === 0 ? null : said.join("\n"),
    terminals: content.flatMap((one) => (one.type === "terminal" ? [one.terminalId] : [])),
  }
}

function describeCall(call: KnownCall, readings: Readings): ProgramCall {
  const input = objectOf(call.rawInput)
  const content = readings.content(call.content)
  const title = call.title ?? ""
  // Some agents tell of a command in nothing but the title.
  const command = call.kind === "execute" ? (commandIn(input) ?? (title === "" ? null : title)) : null
  const url = call.kind === "fetch" ? textIn(input, ["url", "uri"]) : null
  const named = textIn(input, ["file_path", "filePath", "abs_path", "path"])
  const places = readings.locations(call.locations)
  const files =
    content.files.length > 0
      ? content.files
      : named === null
        ? places
        : [...new Set([...places, path.resolve(readings.directory, named)])]
  return {
    id: call.toolCallId,
    kind: call.kind ?? "other",
    tool: toolOf(call.kind ?? "other", { command, url, files }),
    name: (call.name ?? "") || title || (call.kind ?? "other"),
    title,
    input: call.rawInput ?? {},
    state: states[call.status ?? "pending"],
    output: outputOf(call, { said: content.said, objectText: readings.rawOutput }),
    ...{ command, url, files },
    changes: content.changes,
    commands: content.terminals.flatMap((terminal) => readings.commands.get(terminal)?.id ?? []),
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

function objectOf(raw: unknown): Record<string, unknown> {
  return typeof raw === "object" && raw !== null ? (raw as Record<string, unknown>) : {}
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

function outputOf(
  { rawOutput, isRawNewer }: KnownCall,
  { said, objectText }: { said: string | null; objectText(value: object): string },
): string {
  const raw = rawText(rawOutput)
  if (said !== null && (!isRawNewer || raw === null)) return said
  if (raw !== null) return raw
  return typeof rawOutput === "object" && rawOutput !== null ? objectText(rawOutput) : ""
}

/** An object as JSON; nothing for an empty one. */
function objectText(value: object): string {
  return Object.keys(value).length === 0 ? "" : JSON.stringify(value)
}

function rawText(rawOutput: unknown): string | null {
  if (typeof rawOutput === "string") return rawOutput
  return textIn(objectOf(rawOutput), ["formatted_output", "aggregated_output", "output", "stdout", "content", "error"])
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
