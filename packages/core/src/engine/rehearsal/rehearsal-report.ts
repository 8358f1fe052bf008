import { userTexts } from "../../ground/message/user-entry.ts"
import { requestedConversation } from "../../setup/agent/prompts.ts"
import { clip, type PastCall, type Situation } from "./situation.ts"

/** Every place found by the calls of the turn, the turn's own findings first. */
export function foundPlaces(situation: Situation): Place[] {
  const { calls, directory, words } = situation
  const worked = calls.filter(({ failed }) => !failed)
  return [
    ...worked.filter(({ tool }) => tool === "grep").flatMap((call) => grepPlaces(call, directory)),
    ...worked.filter(({ tool }) => tool === "task").flatMap((call) => reportedPlaces(call, directory)),
    ...worked.filter(({ tool }) => tool === "read").flatMap((call) => readPlaces(call, words, directory)),
  ]
}

const placeLine = ({ file, line, text }: Place) =>
  `- \`${file}:${line}\`${text === "" ? "" : ` — \`${clip(text.replaceAll("`", "'"), 110)}\``}`

function failureLines({ calls }: Situation): string[] {
  return calls
    .filter(({ failed }) => failed)
    .map(({ tool, output }) => `- \`${tool}\`: ${clip(output || "no result came back", 200)}`)
}

function fileLines({ calls, directory }: Situation): string[] {
  const files = calls
    .filter(({ tool, failed }) => tool === "glob" && !failed)
    .flatMap((call) => globFiles(call, directory))
  return [...new Set(files)].slice(0, 8).map((file) => `- \`${file}\``)
}

function layoutLines({ calls }: Situation): string[] {
  const list = calls.find(({ tool, failed }) => tool === "list" && !failed)
  const names = (list?.output ?? "").split("\n").filter((line) => /^ {0,2}[\w.@-]*\w\/?\s*$/.test(line))
  return names.length === 0
    ? []
    : [
        `At the top: ${names
          .slice(0, 14)
          .map((name) => `\`${name.trim()}\``)
          .join(", ")}.`,
      ]
}

/** What a subagent reported about the layout. */
function reportedLayout({ calls }: Situation): string[] {
  const line = calls
    .map(({ tool, output }) => (tool === "task" ? /^At the top: .+$/m.exec(output)?.[0] : undefined))
    .find(Boolean)
  return line === undefined ? [] : [`**Layout**\n\n${line}`]
}

const section = (heading: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`**${heading}**`, lines.join("\n")]

/** The report of a delegated rehearsal; it must be understandable alone. */
export function exploreReport(situation: Situation): string {
  const { words } = situation
  const places = pickPlaces(foundPlaces(situation), { words, limit: 10, perFile: 3 })
  const about = words.length > 0 ? ` for ${words.map((word) => `\`${word}\``).join(", ")}` : ""
  const first =
    places.length > 0
      ? `Found ${places.length} place${places.length === 1 ? "" : "s"}${about}. Read by the rehearsal model, which searches but does not understand.`
      : `Nothing found${about}. Read by the rehearsal model, which searches but does not understand.`
  return [
    first,
    ...layoutLines(situation),
    ...section("Places", places.map(placeLine)),
    ...section("Files", fileLines(situation)),
    ...section("Did not work", failureLines(situation)),
  ].join("\n\n")
}

/** Everyone in a team reads this text, whatever their permissions. */
const connectAdvice =
  "**Connect a model** to have the work really done. In Settings, **Models**: save a key, or look for a model server (Ollama, LM Studio) on the machine where Docket runs. Any other OpenAI-compatible server is named under `provider` in `docket.json`. In a team, an admin does this. This session goes on with the model that is then chosen in the model picker."

function changeLines({ calls, directory }: Situation): string[] {
  return calls
    .filter(({ tool, failed }) => (tool === "write" || tool === "edit") && !failed)
    .map(
      ({ tool, input }) =>
        `- \`${relativePath(String(input.filePath ?? ""), directory)}:1\` ${tool === "write" ? "was written" : "was edited"} as the request spells out.`,
    )
}

function commandLines({ calls }: Situation): string[] {
  return calls
    .filter(({ tool, failed }) => tool === "bash" && !failed)
    .map(({ input, output }) => {
      const exit = /\[exit code (\d+)\]/.exec(output)?.[1]
      const how = exit === undefined ? "was run" : exit === "0" ? "ended well" : `ended with ${exit}`
      return `- \`${clip(String(input.command ?? ""), 200)}\` ${how}; its output is above.`
    })
}

/** The final answer to the user. */
export function finalReport(situation: Situation): string {
  const { words } = situation
  const places = pickPlaces(foundPlaces(situation), { words, limit: 12, perFile: 3 })
  const tasks = situation.calls.filter(({ tool, failed }) => tool === "task" && !failed).length
  const changed = changeLines(situation)
  const outcome = [
    changed.length > 0 ? "The file change you asked for is done." : "",
    tasks > 0 ? `${tasks} subagent${tasks === 1 ? "" : "s"} searched the project.` : "",
    places.length > 0
      ? `${places.length} place${places.length === 1 ? "" : "s"} seem${places.length === 1 ? "s" : ""} to matter for the request.`
      : "No place in the project matches the words of the request.",
  ]
  return [
    outcome.filter(Boolean).join(" "),
    "_This was the rehearsal model: it follows a fixed procedure on your real files. No language model is connected, so nothing was understood, judged or designed._",
    ...section("Changed", changed),
    ...section("Run", commandLines(situation)),
    ...reportedLayout(situation),
    ...section("Where to look", places.map(placeLine)),
    ...section("Files", places.length === 0 ? fileLines(situation) : []),
    ...section("Did not work", failureLines(situation)),
    situation.plan
      ? `**Plan**\n1. Read the places above.\n2. Switch to the build agent with a connected model and ask for: ${clip(situation.request, 200)}\n3. Run the project's own checks.`
      : "",
    connectAdvice,
  ]
    .filter(Boolean)
    .join("\n\n")
}

/** A title for the request: its first words, without greetings and polite phrases. */
export function rehearsalTitle(request: string): string {
  const line = request.split("\n").find((text) => text.trim() !== "") ?? ""
  const bare = line.replace(
    /^(?:hi|hello|hey|please|can you|could you|would you|i want you to|i would like you to|[,.!\s])+/i,
    "",
  )
  const [sentence = ""] = clip(bare || line, 200).split(/(?<=[.?!:]) /)
  const words = sentence.replace(/[.?!:]+$/, "").split(" ")
  let title = ""
  for (const word of words) {
    if (title !== "" && title.length + word.length > 48) {
      title += "…"
      break
    }
    title = title === "" ? word.slice(0, 48) : `${title} ${word}`
  }
  return title === "" ? "Rehearsal" : title.charAt(0).toUpperCase() + title.slice(1)
}

/** A summary for compaction: it keeps the requests and says that the rest is unknown. */
export function rehearsalSummary({ asked }: Situation): string {
  const requests = userTexts(requestedConversation(asked)).slice(-6)
  return [
    "## Objective",
    ...requests.map((text) => `- ${clip(text, 300)}`),
    "## Important details",
    "Condensed by the rehearsal model, which keeps the user's requests only.",
    "## Work state",
    "Unknown. Look at the todo list and the files.",
    "## Next move",
    "Go on with the newest request above.",
  ].join("\n")
}

/** A line of a file, as named in a report. */
export interface Place {
  file: string
  line: number
  text: string
}

/** Longer lines are ignored. */
const longestLine = 2_000

/** A path as tools and reports name it: relative to the working directory. */
export function relativePath(file: string, directory: string): string {
  const prefix = directory === "" ? "" : `${directory.replace(/\/+$/, "")}/`
  const inside = prefix !== "" && file.startsWith(prefix) ? file.slice(prefix.length) : file
  return inside.replace(/^\.\//, "")
}

const outputLines = (call: PastCall) => call.output.split("\n").filter((line) => line.length < longestLine)

/** The matches of a grep: `path:12: text` on a line, or a line with the path and then `12: text` below. */
function grepPlaces(call: PastCall, directory: string): Place[] {
  let file = ""
  return outputLines(call).flatMap((line): Place[] => {
    const whole = /^(\S[^:]*\.[\w]+|[\w./@-]+):(\d+):\s?(.*)$/.exec(line)
    if (whole?.[1])
      return [{ file: relativePath(whole[1], directory), line: Number(whole[2]), text: (whole[3] ?? "").trim() }]
    const below = /^\s*(?:Line )?(\d+)[:|]\s?(.*)$/.exec(line)
    if (below && file !== "") return [{ file, line: Number(below[1]), text: (below[2] ?? "").trim() }]
    const heading = /^([\w./@+() -]*[\w)-](?:\.[\w]+)?):?\s*$/.exec(line)
    if (heading?.[1] && /[./]/.test(heading[1])) file = relativePath(heading[1], directory)
    return []
  })
}

/** The files of a glob: one path on a line. */
export function globFiles(call: PastCall, directory: string): string[] {
  return outputLines(call)
    .map((line) => line.trim())
    .filter((line) => /^[^\s:()]+$/.test(line) && /[./]/.test(line) && !line.endsWith("/"))
    .map((line) => relativePath(line, directory))
}

/** Every `path:line` in a subagent's report, with the words after it. */
function reportedPlaces(call: PastCall, directory: string): Place[] {
  return outputLines(call).flatMap((line) => {
    const match = /([\w@./-]+\.\w{1,10}):(\d+)\b`?(?:\s*(?:[-–—:]\s*)?(.*))?$/.exec(line)
    if (!match?.[1] || match[1].includes("//")) return []
    return [
      {
        file: relativePath(match[1], directory),
        line: Number(match[2]),
        text: (match[3] ?? "").replace(/^`|`$/g, "").trim(),
      },
    ]
  })
}

/** The lines of a read that mention a word, or else its first non-empty lines. */
function readPlaces(call: PastCall, words: readonly string[], directory: string): Place[] {
  const file = relativePath(String(call.input.filePath ?? ""), directory)
  const lines = outputLines(call).flatMap((line): Place[] => {
    const match = /^\s*(\d+)(?::|\||\t)\s?(.*)$/.exec(line)
    return match?.[2]?.trim() ? [{ file, line: Number(match[1]), text: match[2].trim() }] : []
  })
  const mentions = lines.filter(({ text }) => words.some((word) => text.toLowerCase().includes(word.toLowerCase())))
  if (mentions.length > 0) return mentions.slice(0, 4)
  return lines
    .filter(({ text }) => /\w{3}/.test(text) && !/^(?:(?:import|from|use|package)\b|\/[/*])/.test(text))
    .slice(0, 3)
}

/** How relevant a line is: each word it contains counts, and so do a definition and words in the path. */
function weight({ file, text }: Place, words: readonly string[]): number {
  const [line, path] = [text.toLowerCase(), file.toLowerCase()]
  const inLine = words.filter((word) => line.includes(word.toLowerCase())).length
  const inPath = words.filter((word) => path.includes(word.toLowerCase())).length
  const defines = inLine > 0 && /\b(?:function|class|interface|type|def|fn|func|struct|enum|export|#)\b|^#/.test(text)
  const minor = /(?:^|[/._-])(?:test|spec|fixture|mock|snap|lock)/.test(path) || /^(?:import|from|use)\b/.test(text)
  return inLine * 3 + inPath * 2 + (defines ? 3 : 0) - (minor ? 3 : 0)
}

interface PickOptions {
  words: readonly string[]
  limit: number
  perFile: number
}

/** The most relevant places, without duplicates and without lines of punctuation only. */
export function pickPlaces(places: readonly Place[], { words, limit, perFile }: PickOptions): Place[] {
  const count = new Map<string, number>()
  const seen = new Set<string>()
  return places
    .filter(({ file, text }) => file !== "" && (text === "" || /\w/.test(text)))
    .map((place) => ({ place, weight: weight(place, words) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ place }) => place)
    .filter(({ file, line }) => {
      const kept = count.get(file) ?? 0
      if (seen.has(`${file}:${line}`) || kept >= perFile) return false
      seen.add(`${file}:${line}`)
      count.set(file, kept + 1)
      return true
    })
    .slice(0, limit)
}
