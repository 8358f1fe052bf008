import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createOutputCapture } from "../../../acts/tool/output-capture.ts"
import { memory as memoryRow, root, task as taskRow } from "../../../contract/rows.ts"
import { shorten } from "../../../engine/compaction/shorten.ts"
import { envelopeText } from "../../../engine/delegation/delegation-context.ts"
import { storedResult } from "../../../engine/delegation/task-answers.ts"
import { memoryList } from "../../../records/memory/memory-text.ts"
import { titleFrom } from "../../../records/session/title-from.ts"
import { askedText } from "../../rule/describe-ask.ts"
import { taskSummary } from "../../store/index.ts"

/** Where Docket shortens a text before it is stored or shown. */
export interface Cut {
  name: string
  /** How much of a text in one line is kept at its beginning (UTF-16 units). */
  head: number
  /** How much is kept at its end. */
  tail: number
  shortened(text: string): Promise<string> | string
}

export const cuts: readonly Cut[] = [
  { name: "title of a session or a task", head: 99, tail: 0, shortened: (text) => titleFrom(text) },
  {
    name: "request in the envelope of a task",
    head: 200,
    tail: 0,
    shortened: (originalRequest) =>
      envelopeText({ originalRequest, delegatedBy: "build", depth: 1, maxDepth: 3, memory: null, openTodos: null }),
  },
  {
    name: "result in the summary of a task",
    head: 500,
    tail: 0,
    shortened: (result) => taskSummary({ ...taskRow(root(), 1), result }).result ?? "",
  },
  {
    name: "command that asks for leave",
    head: 159,
    tail: 0,
    shortened: (command) => {
      const metadata = { kind: "command" as const, command, description: "", workdir: "" }
      return askedText({ permission: "bash", patterns: [command], metadata })
    },
  },
  {
    name: "list of memory entries",
    head: 200,
    tail: 0,
    shortened: (content) => memoryList([{ ...memoryRow(1), content }]),
  },
  { name: "line of a file", head: 2_000, tail: 0, shortened: (text) => `${text.slice(0, 2_000)}…\nnext line` },
  { name: "field cut without an ellipsis", head: 200, tail: 0, shortened: (text) => text.slice(0, 200) },
  // `shorten` keeps two thirds at the beginning and one third at the end, around a note of about 75 characters.
  { name: "text for a model", head: 653, tail: 326, shortened: (text) => shorten(text, 1_053) },
  { name: "output of a command", head: 10_240, tail: 40_960, shortened: captured },
  { name: "answer of a task", head: 8_000, tail: 4_000, shortened: stored },
]

async function captured(text: string): Promise<string> {
  return inDirectory(async (directory) => {
    const capture = createOutputCapture({ file: join(directory, "out"), maxBytes: 1e9 })
    await capture.push(Buffer.from(text))
    const { text: shown } = await capture.finish()
    await capture.close()
    return shown
  })
}

async function stored(text: string): Promise<string> {
  return inDirectory(async (directory) => (await storedResult(text, { directory, name: "result" })).result)
}

async function inDirectory(work: (directory: string) => Promise<string>): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "docket-cut-"))
  try {
    return await work(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Words in one line, of exactly this length. */
export function words(length: number): string {
  return "some more words of a text that nobody hides "
    .repeat(Math.ceil(Math.max(0, length) / 44))
    .slice(0, Math.max(0, length - 1))
    .padEnd(Math.max(0, length), " ")
}
