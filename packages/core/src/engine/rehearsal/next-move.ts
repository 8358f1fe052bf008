import {
  exploreReport,
  finalReport,
  foundPlaces,
  globFiles,
  type Place,
  pickPlaces,
  rehearsalSummary,
  rehearsalTitle,
  relativePath,
} from "./rehearsal-report.ts"
import {
  type Asked,
  anyOf,
  clip,
  type Move,
  namesFile,
  type PastCall,
  readSituation,
  type Situation,
} from "./situation.ts"

/** After this many answers to one request, the next one is the report in any case. */
const mostSteps = 9

const manifests = "{README*,package.json,pyproject.toml,Cargo.toml,go.mod,pom.xml,Gemfile,composer.json,Makefile}"

/** The tools that carry out a change spelled out in a request. */
const changeTools = ["write", "edit", "bash"]

const called = ({ calls }: Situation, ...tools: string[]) => calls.some(({ tool }) => tools.includes(tool))
const fileOf = (change: WantedChange | null) => (change === null || change.kind === "run" ? null : change.file)
const say = (text: string): Move => ({ reasoning: "", text, calls: [] })

function todoCalls(situation: Situation, stage: TodoStage, change: WantedChange | null): Move["calls"] {
  const refused = situation.calls.some(({ tool, failed }) => tool === "todowrite" && failed)
  if (!situation.tools.has("todowrite") || refused) return []
  const input = rehearsalTodos(stage, situation, change)
  const last = situation.calls.findLast(({ tool }) => tool === "todowrite")
  return JSON.stringify(last?.input.todos) === JSON.stringify(input.todos) ? [] : [{ tool: "todowrite", input }]
}

function planMove(situation: Situation, change: WantedChange | null): Move {
  return {
    reasoning: "No language model is connected. I follow a fixed procedure: plan, delegate, look, report.",
    text: "I am the rehearsal model: no language model is connected, so I follow a fixed procedure on your real project. I plan first, then send explorers out.",
    calls: todoCalls(situation, "planned", change),
  }
}

function delegateMove({ request, mentioned, words }: Situation): Move {
  const about = `It is for this request: ${clip(request, 400)}`
  const explore = (description: string, prompt: string) => ({ description, prompt, subagent_type: "explore" })
  const tasks = [
    explore(
      "Map the layout",
      "Layout: which directories and files does this project have, and where does one start to read? Be quick.",
    ),
    words.length > 0
      ? explore(
          "Find what is mentioned",
          `Mentions: where does the project define or use ${words.map((word) => `\`${word}\``).join(", ")}?\n${about}`,
        )
      : explore(
          "Find build and tests",
          "Checks: how is this project built, run and tested? Name the files that say so.",
        ),
    ...mentioned.slice(0, 2).map((name) => ({
      description: `Ask ${name}`,
      prompt: request || "Look around and report.",
      subagent_type: name,
    })),
  ]
  return {
    reasoning: "The searches do not depend on each other, so they go out together.",
    text: `${tasks.length} subagents look around in parallel.`,
    calls: tasks.map((input) => ({ tool: "task", input })),
  }
}

/** The topic of a request that the rehearsal sent to its own explorers. */
const topicOf = (request: string) => /^(Layout|Mentions|Checks):/.exec(request)?.[1]

/** The first searches of an agent that cannot delegate. */
function surveyCalls({ request, tools, words }: Situation): Move["calls"] {
  const topic = topicOf(request)
  const named = words.find(namesFile) ?? words.find((word) => /^[\w.-]+$/.test(word))
  const calls: Move["calls"] = []
  if (topic !== "Mentions" && topic !== "Checks") calls.push({ tool: "list", input: { path: "." } })
  if (topic === "Checks") calls.push({ tool: "glob", input: { pattern: "**/*{.test.,.spec.,_test.,test_}*" } })
  calls.push({
    tool: "glob",
    input: { pattern: named ? (named.includes("/") ? `**/${named}` : `**/*${named}*`) : `**/${manifests}` },
  })
  for (const word of words) calls.push({ tool: "grep", input: { pattern: anyOf([word]) } })
  if (topic === "Checks")
    calls.push({ tool: "grep", input: { pattern: '"(test|build|start|lint|dev)":', include: "package.json" } })
  return calls.filter(({ tool }) => tools.has(tool))
}

/**
 * Files worth reading: the one to be changed, those that the request names, those with most matches, then results of
 * globs.
 */
function filesToRead(
  situation: Situation,
  change: WantedChange | null,
): { filePath: string; place: Place | undefined }[] {
  const { words } = situation
  const places = pickPlaces(foundPlaces(situation), { words, limit: 40, perFile: 10 })
  const counts = Map.groupBy(places, ({ file }) => file)
  const ranked = [...counts.keys()]
  const globs = situation.calls.filter(({ tool, failed }) => tool === "glob" && !failed)
  const listed = globs.flatMap((call) => globFiles(call, situation.directory)).sort((a, b) => a.length - b.length)
  const changedFile = change?.kind === "create" ? null : fileOf(change)
  const toChange = changedFile === null ? [] : [changedFile]
  // Files that the request names come first, because a file's text does not contain its own name.
  const named = [...ranked, ...listed].filter((each) =>
    words.some((word) => namesFile(word) && `/${each}`.endsWith(`/${word}`)),
  )
  return [...new Set([...toChange, ...named, ...ranked, ...listed])]
    .slice(0, 2 + toChange.length)
    .map((filePath) => ({ filePath, place: toChange.includes(filePath) ? undefined : counts.get(filePath)?.[0] }))
}

function lookMove(situation: Situation, change: WantedChange | null): Move | null {
  if (!situation.tools.has("read")) return null
  const { words } = situation
  const reads = filesToRead(situation, change).map(({ filePath, place }) => {
    const around = place && place.line > 20 ? { offset: place.line - 10, limit: 60 } : { limit: 120 }
    if (fileOf(change) === filePath) return { tool: "read", input: { filePath } }
    return { tool: "read", input: { filePath, ...around } }
  })
  const grep =
    words.length > 0 && situation.tools.has("grep") && !called(situation, "grep")
      ? [{ tool: "grep", input: { pattern: anyOf(words.slice(0, 2)) } }]
      : []
  if (reads.length + grep.length === 0) return null
  return {
    reasoning: "I read the places that came up most often.",
    text: "",
    calls: [...todoCalls(situation, "looking", change), ...grep, ...reads],
  }
}

/**
 * The whole text of a file from the output of a read: numbered lines with remarks of the tool. Null when the read did
 * not show all of it.
 */
function wholeFile(call: PastCall | undefined): string | null {
  if (!call || call.failed || !/\(End of file|\(The file is empty/.test(call.output)) return null
  if (/characters were cut/.test(call.output)) return null
  const lines = call.output
    .split("\n")
    .flatMap((line) => /^\d+: (.*)$/.exec(`${line}`)?.[1] ?? (/^\d+:$/.test(line) ? [""] : []))
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`
}

function changeCall(situation: Situation, change: WantedChange): Move["calls"][number] | null {
  const { calls, directory, tools, request } = situation
  if (change.kind === "run") {
    const { command } = change
    return tools.has("bash") ? { tool: "bash", input: { command, description: "As the request says" } } : null
  }
  const filePath = change.file
  if (change.kind === "replace") {
    if (!tools.has("edit")) return null
    return { tool: "edit", input: { filePath, oldString: change.oldText, newString: change.newText } }
  }
  if (!tools.has("write")) return null
  if (change.kind === "create") {
    const content = change.content ?? `Written by Docket's rehearsal model for this request:\n\n${request}`
    return { tool: "write", input: { filePath, content: `${content}\n` } }
  }
  const read = calls.find(
    (call) => call.tool === "read" && relativePath(String(call.input.filePath), directory) === filePath,
  )
  const before = read?.failed && /no file|not exist|not found/i.test(read.output) ? "" : wholeFile(read)
  return before === null ? null : { tool: "write", input: { filePath, content: `${before}${change.content}\n` } }
}

function changeMove(situation: Situation, change: WantedChange | null): Move | null {
  if (!change || situation.plan || called(situation, ...changeTools)) return null
  const call = changeCall(situation, change)
  if (!call) return null
  return {
    reasoning: "",
    text:
      change.kind === "run"
        ? "The request spells out a command: I run it."
        : `The request spells out a change to \`${change.file}\`: I make it.`,
    calls: [...todoCalls(situation, "changing", change), call],
  }
}

/** Marks the todo list as done, unless that has happened. */
function finishMove(situation: Situation, change: WantedChange | null): Move | null {
  if (!called(situation, "todowrite")) return null
  const changed = situation.calls.some(({ tool, failed }) => changeTools.includes(tool) && !failed)
  const calls = todoCalls(situation, change === null || changed ? "done" : "changeFailed", change)
  return calls.length === 0 ? null : { reasoning: "", text: "", calls }
}

function workMove(situation: Situation): Move {
  /** Whether this agent answers the user. Subagents usually have neither tool. */
  const isMain = situation.tools.has("todowrite") || situation.tools.has("task")
  const report = () => say(isMain || situation.tools.size === 0 ? finalReport(situation) : exploreReport(situation))
  if (situation.tools.size === 0 || situation.steps >= mostSteps) return report()
  if (situation.handedOver && called(situation, "task")) return report()
  if (isMain && /^(?:hi|hello|hey|thanks|thank you|good (?:morning|evening))\b.{0,20}$/is.test(situation.request)) {
    return say(
      "Hello. I am the rehearsal model: no language model is connected, so I cannot talk, but I can show you Docket at work. Ask about something in this project, or say `write hello to notes.txt`.",
    )
  }
  const change = topicOf(situation.request) === undefined ? wantedChange(situation.request) : null
  if (situation.tools.has("todowrite") && !called(situation, "todowrite")) return planMove(situation, change)
  if (situation.tools.has("task") && !called(situation, "task")) return delegateMove(situation)
  const survey =
    situation.tools.has("task") || called(situation, "list", "glob", "grep", "read") ? [] : surveyCalls(situation)
  if (survey.length > 0) return { reasoning: "First an overview, all at once.", text: "", calls: survey }
  const look = called(situation, "read") ? null : lookMove(situation, change)
  const readsFile = look?.calls.some(({ tool }) => tool === "read") ?? false
  // Looking ends after the grep when there is no file left to read.
  if (look && (readsFile || !called(situation, "grep"))) return look
  return changeMove(situation, change) ?? finishMove(situation, change) ?? report()
}

/**
 * Decides one answer from only the prompt and the offered tools. A turn has at most `mostSteps` answers and a report.
 */
export function nextMove(options: Asked): Move {
  const situation = readSituation(options)
  switch (situation.purpose) {
    case "title":
      return say(rehearsalTitle(situation.request))
    case "compaction":
      return say(rehearsalSummary(situation))
    case "work":
      return situation.ended === null ? workMove(situation) : say(outcomeReport(situation.ended))
  }
}

/** A task in the notice of ended tasks: its number and description, its agent, its status, and the rest. */
const taskPattern = /^Task #(\d+) "(.*)" \(@(\S+)\):\nstatus: (\w+)\n([\s\S]*?)(?=^Task #\d+ "|<\/system-reminder>)/gm
const resultPattern = /<(task_result|partial_result)>\n([\s\S]*?)\n?<\/\1>/
/** Most characters of a task's result that are shown. */
const longest = 4_000

/** What a notice says about background tasks, for the user. */
function outcomeReport(notice: string): string {
  const blocks = [...notice.matchAll(taskPattern)].map(([, number, description, agent, status, rest = ""]) => {
    const result = resultPattern.exec(rest)?.[2]?.trim() ?? ""
    const reason = rest
      .replace(resultPattern, "")
      .replace(/^(?:task_id|error_type): .*$/gm, "")
      .trim()
    const head = `**Task #${number} “${description}”** (@${agent}) ${status === "complete" ? "is complete." : "did not complete."}`
    return [
      head,
      status === "complete" ? "" : reason,
      result.length > longest ? `${result.slice(0, longest)}…` : result,
    ]
      .filter(Boolean)
      .join("\n\n")
  })
  return blocks.length === 0 ? "A background task has ended; the tasks panel shows how." : blocks.join("\n\n")
}

type TodoStage = "planned" | "looking" | "changing" | "done" | "changeFailed"

function changeItem(change: WantedChange): string {
  if (change.kind === "run") return `Run ${clip(change.command, 80)}`
  if (change.kind === "create") return `Write ${change.file}`
  return change.kind === "append" ? `Append to ${change.file}` : `Edit ${change.file}`
}

/**
 * The arguments of todowrite at a stage of the turn: always the same items in the same order, then the items of others.
 */
function rehearsalTodos(
  stage: TodoStage,
  { words, othersTodos }: Pick<Situation, "words" | "othersTodos">,
  change: WantedChange | null,
) {
  const contents = [
    "Map the layout of the project",
    words.length > 0
      ? `Find what the request mentions: ${clip(words.join(", "), 120)}`
      : "Find how it is built and tested",
    "Read the places that matter",
    ...(change ? [changeItem(change)] : []),
    "Report with file references",
  ]
  const last = contents.length - 1
  const changeIndex = 3
  const end = contents.length
  const current = { planned: 0, looking: 2, changing: changeIndex, done: end, changeFailed: end }[stage]
  const todos = contents.map((content, index) => {
    const dropped = stage === "changeFailed" && change !== null && index === changeIndex
    const status = dropped ? "cancelled" : index < current ? "completed" : index === current ? "in_progress" : "pending"
    return { content, status, priority: index === last ? "low" : index === 0 ? "medium" : "high" }
  })
  return { todos: [...todos, ...othersTodos] }
}

/** A change to one file, or a command, that the request describes exactly. */
type WantedChange =
  | { kind: "run"; command: string }
  | { kind: "create"; file: string; content: string | null }
  | { kind: "append"; file: string; content: string }
  | { kind: "replace"; file: string; oldText: string; newText: string }

const filePattern = "(?:the |a |an |new )*(?:file )?(?:called |named )?[`\"']?([\\w@./-]*[\\w-]\\.\\w{1,10})[`\"']?"
const quotedPattern = "(?:`([^`]+)`|\"([^\"]+)\"|'([^']+)')"

const replacePattern = new RegExp(
  `\\b(?:replace|change|rename)\\s+${quotedPattern}\\s+(?:to|with|by|into)\\s+${quotedPattern}\\s+in\\s+${filePattern}`,
  "i",
)
const appendPattern = new RegExp(
  `\\b(?:append|add)\\s+(?:the |a )?(?:line |text |words? )*(?:${quotedPattern}|(.+?))\\s+(?:at the end of|to(?: the end of)?)\\s+${filePattern}`,
  "is",
)
const writePattern = new RegExp(
  `\\b(?:write|put|save)\\s+(?:the |a )?(?:line |text |words? )*(?:${quotedPattern}|(.+?))\\s+(?:in ?to|to|in)\\s+${filePattern}`,
  "is",
)
const createPattern = new RegExp(
  `\\b(?:create|make|add|write)\\s+${filePattern}(?:[,:]?\\s+(?:with|containing|that (?:says|contains|reads)|saying)(?: the (?:text|line|words?|content))?:?\\s+(?:${quotedPattern}|([^\\n]+)))?`,
  "i",
)

/** A command is run only when it is in backticks after words such as "run the tests with". */
const runPattern = /\brun\b[^`.?!\n]{0,60}`([^`\n]{1,200})`/i

const firstOf = (groups: readonly (string | undefined)[]) => groups.find((group) => group !== undefined)?.trim()

/** Reads "write X to FILE", "create FILE with X", "append X to FILE", "replace 'A' with 'B' in FILE" and "run `COMMAND`". */
export function wantedChange(request: string): WantedChange | null {
  const replace = replacePattern.exec(request)
  if (replace) {
    const oldText = replace.slice(1, 4).find((group) => group !== undefined)
    const newText = replace.slice(4, 7).find((group) => group !== undefined)
    if (oldText !== undefined && newText !== undefined && replace[7])
      return { kind: "replace", file: replace[7], oldText, newText }
  }
  const append = /\bappend\b|\badd\b.+\bto\b/is.test(request) ? appendPattern.exec(request) : null
  const appended = firstOf(append?.slice(1, 5) ?? [])
  if (append?.[5] && appended) return { kind: "append", file: append[5], content: appended }
  const write = writePattern.exec(request)
  const written = firstOf(write?.slice(1, 5) ?? [])
  if (write?.[5] && written) return { kind: "create", file: write[5], content: written }
  const create = createPattern.exec(request)
  if (create?.[1]) return { kind: "create", file: create[1], content: firstOf(create.slice(2, 6)) ?? null }
  const command = runPattern.exec(request)?.[1]?.trim()
  return command ? { kind: "run", command } : null
}
