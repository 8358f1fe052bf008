import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider"
import { z } from "zod"
import { parseInlineCommands } from "../../ground/inline-command/parse-inline-commands.ts"
import { TodoPriority, TodoStatus } from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"
import { commentsOpening } from "../../records/review/review-messages.ts"
import {
  compactionOpening,
  endedNoticeText,
  planMarker,
  subtasksDoneText,
  titleOpening,
} from "../../setup/agent/prompts.ts"

/** Everything on which the rehearsal model bases an answer: read from one prompt, not stored. */
export interface Situation {
  purpose: "title" | "compaction" | "work"
  /** The message to answer, as received. */
  asked: string
  /** The user's words, without Docket's additions. */
  request: string
  /** Keywords of the request. */
  words: string[]
  /** Names of agents that the user mentioned. */
  mentioned: string[]
  /** True when the user delegated the whole request to subagents. */
  handedOver: boolean
  /** True in plan mode, where no edits are wanted. */
  plan: boolean
  tools: ReadonlySet<string>
  /** Working directory; empty when the prompt does not name it. */
  directory: string
  /** Answers given since the request. */
  steps: number
  calls: PastCall[]
  /** Open todos that others added to the list, as last seen. */
  othersTodos: ListedTodo[]
  /** The notice of background tasks that ended, when nothing else has to be answered. */
  ended: string | null
  /** The user's earlier requests, oldest first. */
  earlier: string[]
}

const reminderPattern = /<system-reminder>[\s\S]*?<\/system-reminder>/g
/** The text that tells a subagent where its task comes from. */
const contextPattern = /^\[DELEGATION CONTEXT\]\n[\s\S]*?^\[END DELEGATION CONTEXT\]$/gm
const mentionPattern = /^The user mentioned the agent .*call the task tool with subagent_type "([^"]+)".*$/gm
const commandResultsPattern = /^\[\/(?:todo|mem|schedule|agent|parallel)\b[\s\S]*?^\[END TOOL RESULTS\]$/gm
/** How the prompt marks a request that the user delegated to a subagent. */
const handedPattern = /^The user asked the subagent \S+ to do this: /gm

/**
 * Most characters read of each piece of a prompt, and of the request. The patterns for words and for several lines take
 * quadratic time, during which the service would be blocked.
 */
const longest = { piece: 32_000, request: 4_000 }

function rawText(message: LanguageModelV4Message): string {
  if (message.role === "system") return message.content
  return message.content.flatMap((part) => (part.type === "text" ? [part.text.slice(0, longest.piece)] : [])).join("\n")
}

/**
 * The rehearsal's own requests to its explorers have their words in backticks, or none; users' requests are searched
 * for keywords.
 */
function wordsOf(request: string): string[] {
  const topic = /^(Layout|Mentions|Checks):/.exec(request)?.[1]
  if (topic === "Mentions") return keywords((request.split("\n")[0]?.match(/`[^`]+`/g) ?? []).join(" "))
  if (topic !== undefined) return []
  // For comments, only their own words count, not the introduction and the positions.
  const areComments = request.startsWith(commentsOpening)
  return keywords(areComments ? request.slice(commentsOpening.length).replace(/^\d+\. On .*:$/gm, "") : request)
}

/** What the user said, without Docket's additions and without inline commands that were carried out already. */
function spoken(text: string): string {
  const said = text.replace(reminderPattern, "").replace(contextPattern, "").replace(commandResultsPattern, "")
  return parseInlineCommands(said.replace(subtasksDoneText, ""), { finished: true }).rest.trim()
}

const spokenText = (message: LanguageModelV4Message) => spoken(rawText(message))

function outputText(output: LanguageModelV4ToolResultOutput): { text: string; failed: boolean } {
  switch (output.type) {
    case "text":
      return { text: output.value, failed: false }
    case "error-text":
      return { text: output.value, failed: true }
    case "json":
    case "error-json":
      return { text: JSON.stringify(output.value), failed: output.type === "error-json" }
    case "execution-denied":
      return { text: output.reason ?? "The call was denied.", failed: true }
    case "content":
      return {
        text: output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"),
        failed: false,
      }
  }
}

function readCalls(messages: readonly LanguageModelV4Message[]): PastCall[] {
  const results = new Map<string, { text: string; failed: boolean }>()
  for (const message of messages) {
    if (message.role !== "tool") continue
    for (const part of message.content) {
      if (part.type === "tool-result") results.set(part.toolCallId, outputText(part.output))
    }
  }
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return []
    return message.content.flatMap((part): PastCall[] => {
      if (part.type !== "tool-call") return []
      const result = results.get(part.toolCallId)
      const input = typeof part.input === "object" && part.input !== null ? { ...part.input } : {}
      return [{ tool: part.toolName, input, output: result?.text ?? "", failed: result?.failed ?? true }]
    })
  })
}

/** The parts of a call that the rehearsal model uses. */
export type Asked = Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "toolChoice">

/** Finds out what a model call asks for. Never throws. */
export function readSituation({ prompt, tools = [], toolChoice }: Asked): Situation {
  const system = prompt.flatMap((message) => (message.role === "system" ? [message.content] : [])).join("\n\n")
  /** Index of the newest message with words of the user. */
  const at = prompt.findLastIndex((message) => message.role === "user" && spokenText(message) !== "")
  const asked = at === -1 ? "" : rawText(prompt[at] as LanguageModelV4Message)
  const since = prompt.slice(at + 1)
  const everything = prompt
    .slice(Math.max(at, 0))
    .filter(({ role }) => role === "user")
    .map(rawText)
    .join("\n")
  const unanswered = prompt
    .slice(prompt.findLastIndex(({ role }) => role !== "user") + 1)
    .map(rawText)
    .join("\n")
  const directory = /^[ \t]*Working directory: (.+)$/m.exec(system)?.[1]?.trim() ?? ""
  const withoutMentions = spoken(asked.replace(mentionPattern, ""))
  const request = withoutMentions.replace(handedPattern, "").slice(0, longest.request)
  return {
    purpose: system.startsWith(titleOpening) ? "title" : system.startsWith(compactionOpening) ? "compaction" : "work",
    asked,
    request,
    words: wordsOf(request),
    mentioned: [...asked.matchAll(mentionPattern)].map((match) => match[1] ?? ""),
    handedOver: withoutMentions.search(handedPattern) === 0,
    plan: everything.includes(planMarker),
    tools: new Set(toolChoice?.type === "none" ? [] : tools.map(({ name }) => name)),
    directory,
    steps: since.filter(({ role }) => role === "assistant").length,
    calls: readCalls(since),
    othersTodos: othersTodos(readCalls(prompt)),
    ended: unanswered.includes(endedNoticeText) && spoken(unanswered) === "" ? unanswered : null,
    earlier: prompt
      .slice(0, Math.max(at, 0))
      .flatMap((message) => (message.role === "user" ? [spokenText(message)] : [])),
  }
}

/** A tool call in the prompt, with its result. */
export interface PastCall {
  tool: string
  input: Record<string, unknown>
  output: string
  failed: boolean
}

const ListedTodo = z.object({ id: z.string(), content: z.string(), status: TodoStatus, priority: TodoPriority })
/** An item as the todo tools show it. */
type ListedTodo = z.infer<typeof ListedTodo>

const WrittenTodos = z.array(z.object({ id: z.string().optional(), content: z.string() }))

/**
 * The open items of the list, as last shown, that the rehearsal did not write. It sends its own items without an id.
 */
function othersTodos(calls: PastCall[]): ListedTodo[] {
  const shown = calls.findLast(
    ({ tool, failed, output }) => todoTools.includes(tool) && !failed && output.startsWith("["),
  )
  if (shown === undefined) return []
  const written = calls.flatMap(({ tool, input }) =>
    tool === "todowrite" ? (WrittenTodos.safeParse(input.todos).data ?? []) : [],
  )
  const own = new Set(written.filter(({ id }) => id === undefined).map(({ content }) => content))
  return listOf(shown.output).filter(
    ({ content, status }) => !own.has(content) && (status === "pending" || status === "in_progress"),
  )
}

/** The list at the beginning of a tool's output; remarks may follow it. */
function listOf(output: string): ListedTodo[] {
  const end = output.indexOf("\n]")
  try {
    return z.array(ListedTodo).safeParse(JSON.parse(end < 0 ? output : output.slice(0, end + 2))).data ?? []
  } catch {
    return []
  }
}

/** Words that do not help a search. */
const stopWords = new Set(
  `about above after again also always another anything because been before being below between both change check code
  codebase create could defined describe does done doing each edit every everything explain explore file files find first fix
  folder from give good have hello help here How improve into is it its just know like line list little look make many
  maybe mean more most much must need never nothing only other over please project read report repository rename
  request session should show since some something start still such tell test than thanks that their them then there
  these they thing things this those three through under understand update used uses using very want well were what when
  where which while whole will with within without work works would write written wrong your yourself append replace
  begins cause compare correct matter matters mend names someone true try
  mention mentions mentioned quickly layout thorough medium`
    .toLowerCase()
    .split(/\s+/),
)

/** Longest keyword, in characters. */
const longestKeyword = 60

/**
 * Keywords of a request: first quoted text, then what looks like code (paths, identifiers), then the longer words; at
 * most `limit`, without duplicates.
 */
export function keywords(text: string, limit = 4): string[] {
  const quoted = [...text.matchAll(/`([^`\n]{2,60})`|"([^"\n]{2,60})"/g)].map((match) => match[1] ?? match[2] ?? "")
  const code =
    text.match(
      /(?:(?<![\w./:])\/)?[\w$@][\w$@-]*(?:[./:#][\w$-]+)+|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b\w+_\w+\b|\b[A-Z]\w*[A-Z]\w*\b/g,
    ) ?? []
  const words = (text.match(/\p{L}[\p{L}\d-]{3,}/gu) ?? []).filter((word) => !stopWords.has(word.toLowerCase()))
  // A search for the singular also finds the plural.
  const singular = words.map((word) => (/[^s]s$/.test(word) && word.length > 4 ? word.slice(0, -1) : word))
  const found = new Map<string, string>()
  for (const word of [...quoted, ...code, ...singular]) {
    const trimmed = word.trim().slice(0, longestKeyword)
    const known = [...found.keys()].some((key) => key.includes(trimmed.toLowerCase()))
    if (trimmed.length > 1 && !known) found.set(trimmed.toLowerCase(), trimmed)
  }
  return [...found.values()].slice(0, limit)
}

/** Whether a word is the name of a project file. */
export function namesFile(word: string): boolean {
  return /^(?!\/)[\w@./-]*\w\.\w{1,10}$/.test(word)
}

/**
 * A regular expression that finds any of the words and ignores case, because prompts seldom have the case of the code.
 */
export function anyOf(words: readonly string[]): string {
  return `(?i)${words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")).join("|")}`
}

/** The text and calls of one answer of the rehearsal model. Without calls the turn is over. */
export interface Move {
  reasoning: string
  text: string
  calls: { tool: string; input: Record<string, unknown> }[]
}

export function clip(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line
}
