import type { CommandLine, CommandResult } from "../../ground/schema/index.ts"
import { type ParsedWrits, parseWrits, type Writ } from "../../ground/writ/parse-writs.ts"
import { commandOf, renderLines, renderResult } from "../../ground/writ/render-result.ts"
import type { WritVerb } from "../../ground/writ/writ-verbs.ts"
import { failed, type WritAnswer, type WritContext, type WritRunner, type WritRunners } from "../loop/writ-runner.ts"

/** The most characters reported of one result and of all results of one text (16 and 32 KiB). */
const maxResult = 16 * 1024
const maxResults = 32 * 1024
/** How many inline commands of one text are run; the others are skipped. */
const maxWrits = 100

const resultsEnd = "[END TOOL RESULTS]"
const truncated = "TOOL RESULTS TRUNCATED: budget exhausted"

/** Combines the runners of inline commands, by verb. */
export function createWritRunners(runners: Partial<Record<WritVerb, WritRunner>>): WritRunners {
  const find = (text: string, options: { finished: boolean }): ParsedWrits => {
    const { writs, rest } = parseWrits(text, options)
    return { writs: writs.filter((writ) => runners[writ.verb] !== undefined), rest }
  }
  return {
    find,
    async run(text, { finished, ...context }) {
      const { writs, rest } = find(text, { finished })
      if (writs.length === 0) return { answer: null, rest }
      const done: Done[] = []
      for (const [index, writ] of writs.entries()) {
        context.signal.throwIfAborted()
        done.push({ writ, lines: index < maxWrits ? await runOne(runners[writ.verb], writ, context) : skipped })
      }
      return { answer: answerOf(done), rest }
    },
  }
}

interface Done {
  writ: Writ
  lines: CommandLine[]
}

async function runOne(runner: WritRunner | undefined, writ: Writ, context: WritContext): Promise<CommandLine[]> {
  try {
    return runner === undefined ? [failed("not available here")] : await runner(writ, context)
  } catch (error) {
    context.signal.throwIfAborted()
    return [failed(error instanceof Error ? error.message : String(error))]
  }
}

const skipped: CommandLine[] = [{ kind: "skipped", text: `at most ${maxWrits} commands are carried out in one answer` }]

/** The results that fit into the limit. */
function answerOf(done: readonly Done[]): WritAnswer {
  const texts: string[] = []
  const results: CommandResult[] = []
  let length = 0
  for (const { writ, lines } of done) {
    const text = shortened(renderResult(writ, lines))
    length += text.length + 1
    if (length > maxResults) {
      texts.push(`[${truncated}]`)
      results.push({ command: null, lines: [{ kind: "text", text: truncated }] })
      break
    }
    texts.push(text)
    results.push({ command: commandOf(writ), lines: withinRoom(lines) })
  }
  return { text: [...texts, resultsEnd].join("\n"), results }
}

function shortened(result: string): string {
  if (result.length <= maxResult) return result
  const end = result.slice(result.lastIndexOf("\n"))
  return `${result.slice(0, maxResult - end.length - 20)}\n[RESULT TRUNCATED]${end}`
}

/** Cuts the data in the same way: the lines that fit, the last one shortened. */
function withinRoom(lines: CommandLine[]): CommandLine[] {
  if (renderLines(lines).length <= maxResult) return lines
  const kept: CommandLine[] = []
  let room = maxResult
  for (const line of lines) {
    kept.push("text" in line ? { ...line, text: line.text.slice(0, room) } : line)
    room -= renderLines([line]).length
    if (room <= 0) break
  }
  return [...kept, { kind: "text", text: "[RESULT TRUNCATED]" }]
}
