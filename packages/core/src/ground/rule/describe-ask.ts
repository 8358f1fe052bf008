import type {
  AskedProgramCall,
  AskedServer,
  CommandEffects,
  PermissionReason,
  PermissionRequest,
  PermissionRule,
} from "../schema/index.ts"
import { UNKNOWN_PATTERN } from "./evaluate.ts"
import { presetLabel } from "./preset-labels.ts"
import { visibleText } from "./visible-text.ts"

/** The description of a request for people; every character in it is visible (`visibleText`). */
export interface AskDescription {
  /** The tool, or the right, that is asked for. */
  tool: string
  /** The act, to follow "wants to": `write`, the names of the objects, and `outside the project`. */
  act: { does: string; what: string[]; where: string | null }
  /** Names that the sentence of the act only counts. */
  alsoNamed: string[]
  /** Empty when the act or the command says everything. */
  title: string
  command: string | null
  /** The known facts about the command; null when there is no command, or when nothing is known. */
  effects: CommandEffects | null
  /** The arguments of a call of a tool that is not Docket's, as JSON; null where the rest says everything. */
  input: string | null
  /** Unified diff. */
  diff: string | null
  /** Why it has to be asked, a sentence each. */
  reasons: string[]
}

/** Names that a sentence takes; the rest are counted. */
const maxNamed = 2

type Ask = Pick<PermissionRequest, "permission" | "patterns" | "metadata" | "reasons">

/** A request as front ends draw it. One of a kind that a newer server knows falls back to its patterns. */
export function describeAsk(ask: Ask): AskDescription {
  const { permission, patterns, metadata } = ask
  const { tool = permission, does, what = [], where = null, title, command, diff } = wordsOf(ask)
  const shown = (text: string | undefined) => (text?.trim() ? visibleText(text) : null)
  const isOutside = permission === "external_directory"
  const effects = metadata.kind === "command" ? (metadata.effects ?? null) : null
  const isNamed = what.length > 0 || where !== null || command?.trim()
  const names = (isNamed ? what : patterns).map(visibleText)
  return {
    tool: visibleText(tool),
    act: {
      does,
      what: names,
      where: isOutside ? "outside the project" : where && visibleText(where),
    },
    alsoNamed: names.slice(maxNamed),
    title: shown(title) ?? "",
    command: shown(command),
    effects: effects && visibleEffects(effects),
    input: shown(inputOf(metadata)),
    diff: shown(diff),
    reasons: describeReasons(ask).map(visibleText),
  }
}

/** Characters of arguments that are shown. */
const longestInput = 20_000

function inputOf(metadata: Ask["metadata"]): string | undefined {
  if (metadata.kind !== "other" && metadata.kind !== "repeat") return undefined
  const { input } = metadata
  if (typeof input !== "object" || input === null || Object.keys(input).length === 0) return undefined
  const text = JSON.stringify(input, null, 2)
  const rest = text.length - longestInput
  return rest > 0 ? `${text.slice(0, longestInput)}… and ${rest.toLocaleString("en-US")} more characters` : text
}

function visibleEffects(effects: CommandEffects): CommandEffects {
  const shown = (items: string[] = []) => items.map(visibleText)
  return {
    runs: shown(effects.runs),
    writes: shown(effects.writes),
    removes: shown(effects.removes),
    downloads: shown(effects.downloads),
    notes: shown(effects.notes),
    unknown: shown(effects.unknown),
    reads: shown(effects.reads),
    outside: shown(effects.outside),
    more: effects.more,
  }
}

interface AskWords {
  tool?: string
  does: string
  what?: string[]
  where?: string
  title?: string | undefined
  command?: string
  diff?: string
}

function wordsOf({ permission, patterns, metadata }: Ask): AskWords {
  switch (metadata.kind) {
    case "command":
      return { ...commandAct(permission, patterns), title: metadata.description, command: metadata.command }
    case "change": {
      const { created, removed, diffOmitted, diff, file } = metadata
      // A link is named by each name that a change of it goes through.
      const what = permission === "edit" ? patterns : [file]
      const written = { does: removed ? "remove" : created ? "write the new file" : "write", what }
      return diffOmitted ? { ...written, title: linesOf(metadata) } : { ...written, diff }
    }
    case "changes": {
      const { changes } = metadata
      const title = changes.some(({ diffOmitted }) => diffOmitted) ? changes.map(linesOf).join(", ") : undefined
      const diffs = changes.flatMap(({ diff }) => (diff === "" ? [] : [diff]))
      return { does: `change ${changes.length} files`, what: patterns, title, diff: diffs.join("\n") }
    }
    case "files":
      return { does: "read", what: metadata.files }
    case "path":
      return { does: metadata.act ?? (permission === "list" ? "list" : "use"), what: [metadata.path] }
    case "search": {
      const { pattern, path, include } = metadata
      const where = [path && `in ${path}`, include && `(${include})`].filter(Boolean).join(" ")
      return { does: permission === "glob" ? "look for files" : "search for", what: [pattern], title: where }
    }
    case "address": {
      const title = metadata.from === undefined ? undefined : `${metadata.from} redirects there.`
      return { does: "fetch the page", command: metadata.url, title }
    }
    case "query":
      return { does: `search the web at ${metadata.host} for`, command: metadata.query }
    case "task":
      return { tool: metadata.tool, does: "start", what: [`@${metadata.agent}`], title: metadata.description }
    case "repeat": {
      const { tool, times } = metadata
      return { tool, does: `make the same call for the ${ordinal(times)} time:`, what: [tool] }
    }
    case "schedule":
      return { does: "change schedules", command: metadata.command }
    case "question": {
      const { questions } = metadata
      const what = questions.map(({ header }) => header)
      return { does: "ask about", what, title: questions.map(({ question }) => question).join(" ") }
    }
    case "plan":
      return { does: "carry out the plan", what: [metadata.file] }
    case "other":
      if (metadata.server !== undefined) return serverAct(metadata.server, metadata.title)
      if (metadata.program !== undefined) return programAct(metadata.program, metadata.title)
      return { does: "use", what: [permission], title: metadata.title ?? patterns.join(", ") }
    default:
      metadata satisfies never
      return { does: "use", what: [permission], title: patterns.join(", ") }
  }
}

function serverAct({ name, use, tool = "", says }: AskedServer, title: string | undefined): AskWords {
  const server = `the MCP server “${name}”`
  if (use === "tool") return { does: "call", what: [tool], where: `of ${server}`, title: says }
  if (use === "resources") return { does: "read resources", where: `of ${server}`, title }
  return { does: "let your model answer", where: server, title }
}

/** What a call of each kind does, to follow "wants to": with the files that it names, and without any. */
const programActs: Record<string, { files: string; none: string }> = {
  read: { files: "read", none: "read with its tool" },
  edit: { files: "change", none: "change files with its tool" },
  delete: { files: "delete", none: "delete files with its tool" },
  move: { files: "move", none: "move files with its tool" },
  search: { files: "search", none: "search with its tool" },
  execute: { files: "run a command on", none: "run a command with its tool" },
  think: { files: "think about", none: "think with its tool" },
  fetch: { files: "fetch a page for", none: "fetch a page with its tool" },
  switch_mode: { files: "change its mode for", none: "change its mode with its tool" },
}

const otherAct = { files: "use its tool on", none: "use its tool" }

function programAct({ kind, tool, files, diff = "" }: AskedProgramCall, title: string | undefined): AskWords {
  const does = programActs[kind] ?? otherAct
  if (files.length > 0) return { does: does.files, what: files, title: title || tool, diff }
  return { does: does.none, what: [tool], title: title === tool ? undefined : title, diff }
}

/** What “always” allows of a server, to follow "allows"; null where the patterns say it. */
export function alwaysOfServer({ metadata }: Pick<PermissionRequest, "metadata">): string | null {
  if (metadata.kind !== "other" || metadata.server === undefined) return null
  const { name, use, tool = "" } = metadata.server
  const server = `the MCP server “${name}”`
  if (use === "tool") return visibleText(`calls of ${tool} of ${server}, as long as both stay as they are now,`)
  const what = use === "resources" ? `reads of all resources of ${server}` : `answers of your model for ${server}`
  return visibleText(`${what}, as long as it stays as it is now,`)
}

/** A command is asked for by each right that it needs. */
function commandAct(permission: string, patterns: string[]): Pick<AskWords, "does" | "what"> {
  if (permission === "edit") return { does: "run a command that writes files" }
  if (permission === "sandbox") return { does: "run a command outside the sandbox" }
  if (permission !== "read") return { does: "run a command" }
  if (patterns.includes(UNKNOWN_PATTERN)) return { does: "run a command that reads files" }
  return { does: "let this command read", what: patterns }
}

function ordinal(number: number): string {
  const special: Record<number, string> = { 1: "1st", 2: "2nd", 3: "3rd" }
  return special[number] ?? `${number}th`
}

function linesOf({ additions, deletions }: { additions: number; deletions: number }): string {
  return `+${additions} −${deletions} lines, too many to show`
}

/** Why a request has to be asked, a sentence each, in plain words. Older rows say nothing. */
export function describeReasons({ reasons = [], ...asked }: Ask): string[] {
  const sentences = reasons.map((reason) => sentence(reason, asked))
  return [...new Set([...outsideReasons(asked), ...sentences])]
}

/** What leaving the sandbox means, and the reason for it. */
function outsideReasons({ permission, metadata }: Ask): string[] {
  if (permission !== "sandbox") return []
  const why = metadata.kind === "command" && metadata.outside ? [`Why outside: ${metadata.outside}`] : []
  return ["Outside the sandbox it has all your rights: your files and keys, other projects and the network.", ...why]
}

function sentence({ why, patterns, rule }: PermissionReason, ask: Ask): string {
  const { permission, metadata } = ask
  const few = `${patterns.slice(0, 3).join(", ")}${patterns.length > 3 ? ` and ${patterns.length - 3} more` : ""}`
  const named = metadata.kind === "other" && metadata.server ? "this" : few
  switch (why) {
    case "unknown":
      return unknown(permission, metadata)
    case "unreadable":
      return "Some of the configuration cannot be read, so that everything is asked until it is mended: see Settings."
    case "configuration":
      return `${named} is configuration of Docket, which only a rule that names it may allow.`
    case "unset":
      return `No rule covers ${named}.`
    case "rule":
      return byRule(ask, named, rule)
  }
}

function unknown(permission: string, metadata: Ask["metadata"]): string {
  const isUnread = metadata.kind === "command" && metadata.effects === null
  if (isUnread) return "The command cannot be understood beforehand: it may run and touch anything."
  if (permission === "bash") return "Some of what it runs is known only when it runs."
  return "Some of the files that it touches are known only when it runs."
}

/** The text about a rule of Docket itself, which is not named: the sentence gives its purpose instead. */
function byRule({ permission, metadata }: Ask, named: string, rule: PermissionRule | undefined): string {
  if (rule?.preset !== undefined) return `This session is set to “${presetLabel(rule.preset)}”, which asks for it.`
  const isDefault = rule?.permission === permission
  if (permission === "external_directory" && isDefault && rule.pattern === "*")
    return `${named} is outside the project.`
  if (permission === "read" && isDefault && rule.pattern.startsWith("*.env"))
    return `${named} is a file of a kind that often holds secrets.`
  if (permission === "sandbox" && isDefault) return "Each command that leaves the sandbox has to be allowed."
  if (permission === "doom_loop" && isDefault) return "The same call came again and again."
  if (rule === undefined) return `A rule asks for ${named}.`
  const server = metadata.kind === "other" ? metadata.server : undefined
  return `A rule asks for ${ruleWords(rule, permission, server)}.`
}

function ruleWords({ permission: of, pattern }: PermissionRule, asked: string, server?: AskedServer): string {
  const where = pattern === "*" ? "" : `, where the call matches “${pattern}”`
  if (of === "acp") return `the program's own tools (“acp”)${where}`
  if (of === "*") return pattern === "*" ? "everything that no other rule is about" : `all uses of tools${where}`
  // What the tools of a server are called begins with its name; the rest is as long as the tool's own.
  const ofAll = asked.slice(0, asked.length - (server?.tool?.length ?? 0))
  if (server?.use === "tool" && of === `${ofAll}*`) return `all tools of the MCP server “${server.name}”${where}`
  return `${of.includes("*") ? `tools whose names match “${of}”` : `uses of “${of}”`}${where}`
}

/** The act as a sentence in pieces, with names separate from words. */
export function actPieces({ act }: Pick<AskDescription, "act">): { text: string; isName: boolean }[] {
  const named = act.what.slice(0, maxNamed)
  const rest = act.what.length - named.length
  const names = named.flatMap((text, index) => [
    { text: index === 0 ? " " : ", ", isName: false },
    { text, isName: true },
  ])
  const tail = `${rest > 0 ? ` and ${rest} more` : ""}${act.where === null ? "" : ` ${act.where}`}`
  return [{ text: act.does, isName: false }, ...names, ...(tail === "" ? [] : [{ text: tail, isName: false }])]
}

export function actText(shown: Pick<AskDescription, "act">): string {
  return actPieces(shown)
    .map(({ text }) => text)
    .join("")
}

/** Longer texts are cut (UTF-16 units). */
const maxText = 160

/** A request in one short line: `write a.txt`, or the command itself. Every character in it is visible. */
export function askedText(ask: Pick<PermissionRequest, "permission" | "patterns" | "metadata">): string {
  const { act, command } = describeAsk(ask)
  const rest = act.what.length - maxNamed
  const names = `${act.what.slice(0, maxNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`
  const text = command ?? [act.does, names, act.where].filter(Boolean).join(" ")
  const line = text.replace(/\s+/g, " ").trim()
  return line.length <= maxText ? line : `${line.slice(0, maxText - 1).toWellFormed()}…`
}
