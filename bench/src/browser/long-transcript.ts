import { type CreateId, createIdSource } from "@docket/core"
import type { AssistantMessage, ModelRef, Part, ToolPart, UserMessage } from "@docket/core/schema"
import type { Mutation } from "@docket/core/store"

export const partsOfLongTranscript = 5_000
/** Parts of a step: its start and end, thoughts, an answer and the calls. */
const partsOfStep = 10
const stepsOfTurn = 25
const stepMs = 8_000

const model: ModelRef = { providerID: "bench", modelID: "bench" }
const tokens = { input: 900, output: 220, reasoning: 60, cache: { read: 12_000, write: 0 } }

/** A transcript like that of real work on code: prompts, thoughts, Markdown answers, and calls with their output. */
export function longTranscript(sessionID: string, createID: CreateId = createIdSource()): Mutation[] {
  const turns = partsOfLongTranscript / partsOfStep / stepsOfTurn
  return Array.from({ length: turns }, (_, turn) => turnOf({ sessionID, turn, createID })).flat()
}

interface Place {
  sessionID: string
  turn: number
  createID: CreateId
}

function turnOf({ sessionID, turn, createID }: Place): Mutation[] {
  const base = { sessionID, agent: "build", model }
  const now = timeOf(turn * stepsOfTurn)
  const prompt: UserMessage = { ...base, id: createID("message"), role: "user", time: { created: now } }
  const text = `Part ${turn + 1}: go through module ${turn + 1}, mend what its tests find, and say what you changed.`
  const asked: Part = { id: createID("part"), sessionID, messageID: prompt.id, type: "text", text }
  const steps = Array.from({ length: stepsOfTurn }, (_, step): Mutation[] => {
    const last = step === stepsOfTurn - 1
    const begun = timeOf(turn * stepsOfTurn + step)
    const message: AssistantMessage = {
      ...base,
      id: createID("message"),
      role: "assistant",
      parentID: prompt.id,
      finish: last ? "stop" : "tool-calls",
      error: null,
      cost: 0.012,
      tokens,
      time: { created: begun, completed: begun + 4_000 },
    }
    const parts = partsOf({ sessionID, messageID: message.id, createID, number: turn * stepsOfTurn + step })
    return [{ kind: "message", value: message }, ...parts.map((value) => ({ kind: "part" as const, value }))]
  })
  return [{ kind: "message", value: prompt }, { kind: "part", value: asked }, ...steps.flat()]
}

const until = Date.now()

/** When a step began. Steps follow each other: the first begins with the session, the last begins now. */
export function timeOf(number: number): number {
  return until - (partsOfLongTranscript / partsOfStep - number) * stepMs
}

interface Step {
  sessionID: string
  messageID: string
  number: number
  createID: CreateId
}

function partsOf(step: Step): Part[] {
  const base = () => ({ id: step.createID("part"), sessionID: step.sessionID, messageID: step.messageID })
  const now = timeOf(step.number)
  const file = `src/module-${step.number % 40}.ts`
  const call = (tool: string, { input, title, output, metadata }: Call): ToolPart => ({
    ...base(),
    type: "tool",
    callID: `call_${step.number}_${tool}`,
    tool,
    state: { status: "completed", input, title, output, metadata, time: { start: now, end: now + 120 } },
  })
  return [
    { ...base(), type: "step-start" },
    { ...base(), type: "reasoning", text: thoughts(step.number), time: { start: now, end: now + 900 } },
    { ...base(), type: "text", text: answer(step.number, file), time: { start: now, end: now + 1_500 } },
    call("read", readOf(file)),
    call("grep", grepOf(file)),
    call("read", readOf(`test/module-${step.number % 40}.test.ts`)),
    call("edit", editOf(file, step.number)),
    call("bash", commandOf(step.number)),
    call("bash", commandOf(step.number + 1)),
    { ...base(), type: "step-finish", reason: "tool-calls", tokens, cost: 0.012 },
  ]
}

type Call = Pick<Extract<ToolPart["state"], { status: "completed" }>, "input" | "title" | "output" | "metadata">

const thoughts = (number: number) =>
  `The test of step ${number} fails because the cursor is read before the page is full. I look at who calls it first.`

const answer = (number: number, file: string) =>
  [
    `Step ${number}: \`${file}\` reads its cursor **before** the page is full, so the last row comes twice.`,
    "",
    "- the reader keeps the cursor of the *first* row",
    "- the writer counts from the end",
    "",
    "I move the read behind the write and run the tests again.",
  ].join("\n")

const codeLines = (count: number) =>
  Array.from({ length: count }, (_, line) => `${line + 1}: const row${line} = rows[${line}] ?? emptyRow`).join("\n")

function readOf(file: string): Call {
  const metadata = { kind: "file", file, startLine: 1, endLine: 40, totalLines: 40, truncated: false }
  return { input: { filePath: file }, title: file, output: codeLines(40), metadata }
}

function grepOf(file: string): Call {
  const lines = Array.from({ length: 8 }, (_, at) => ({ line: at * 7 + 1, text: "  const cursor = page.cursor" }))
  const metadata = { matches: lines.length, files: [{ file, lines }], truncated: false }
  return { input: { pattern: "cursor" }, title: "cursor", output: `${file}: 8 matches`, metadata }
}

function editOf(file: string, number: number): Call {
  const diff = [
    `--- a/${file}`,
    `+++ b/${file}`,
    "@@ -10,6 +10,7 @@",
    " const rows = await read(page)",
    `-const cursor${number} = page.cursor`,
    " write(rows)",
    `+const cursor${number} = page.cursor`,
    "+count(rows)",
    " return rows",
    "",
  ].join("\n")
  const metadata = { file, diff, additions: 2, deletions: 1, created: false, diffOmitted: false, truncated: false }
  return { input: { filePath: file }, title: file, output: "Edited.", metadata }
}

function commandOf(number: number): Call {
  const command = `node --test test/module-${number % 40}.test.ts`
  const output = Array.from({ length: 25 }, (_, line) => `✔ reads page ${line} (${line % 7}.2 ms)`).join("\n")
  const metadata = { command, description: "Run the tests", output, exit: 0, duration: 120, truncated: false }
  return { input: { command }, title: "Run the tests", output, metadata }
}
