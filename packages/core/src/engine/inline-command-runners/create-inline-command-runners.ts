import type { InlineCommandVerb } from "../../ground/inline-command/inline-command-verbs.ts"
import {
  type InlineCommand,
  type ParsedInlineCommands,
  parseInlineCommands,
} from "../../ground/inline-command/parse-inline-commands.ts"
import { commandOf, renderLines, renderResult } from "../../ground/inline-command/render-result.ts"
import type { CommandLine, CommandResult } from "../../ground/schema/index.ts"
import {
  failed,
  type InlineCommandAnswer,
  type InlineCommandContext,
  type InlineCommandRunner,
  type InlineCommandRunners,
} from "../loop/inline-command-runner.ts"

/** The most characters reported of one result and of all results of one text (16 and 32 KiB). */
const maxResult = 16 * 1024
const maxResults = 32 * 1024
/** How many inline commands of one text are run; the others are skipped. */
const maxInlineCommands = 100

const resultsEnd = "[END TOOL RESULTS]"
const truncated = "TOOL RESULTS TRUNCATED: budget exhausted"

/** Combines the runners of inline commands, by verb. */
export function createInlineCommandRunners(
  runners: Partial<Record<InlineCommandVerb, InlineCommandRunner>>,
): InlineCommandRunners {
  const find = (text: string, options: { finished: boolean }): ParsedInlineCommands => {
    const { inlineCommands, rest } = parseInlineCommands(text, options)
    return { inlineCommands: inlineCommands.filter((inlineCommand) => runners[inlineCommand.verb] !== undefined), rest }
  }
  return {
    find,
    async run(text, { finished, ...context }) {
      const { inlineCommands, rest } = find(text, { finished })
      if (inlineCommands.length === 0) return { answer: null, rest }
      const done: Done[] = []
      for (const [index, inlineCommand] of inlineCommands.entries()) {
        context.signal.throwIfAborted()
        done.push({
          inlineCommand,
          lines:
            index < maxInlineCommands ? await runOne(runners[inlineCommand.verb], inlineCommand, context) : skipped,
        })
      }
      return { answer: answerOf(done), rest }
    },
  }
}

interface Done {
  inlineCommand: InlineCommand
  lines: CommandLine[]
}

async function runOne(
  runner: InlineCommandRunner | undefined,
  inlineCommand: InlineCommand,
  context: InlineCommandContext,
): Promise<CommandLine[]> {
  try {
    return runner === undefined ? [failed("not available here")] : await runner(inlineCommand, context)
  } catch (error) {
    context.signal.throwIfAborted()
    return [failed(error instanceof Error ? error.message : String(error))]
  }
}

const skipped: CommandLine[] = [
  { kind: "skipped", text: `at most ${maxInlineCommands} commands are carried out in one answer` },
]

/** The results that fit into the limit. */
function answerOf(done: readonly Done[]): InlineCommandAnswer {
  const texts: string[] = []
  const results: CommandResult[] = []
  let length = 0
  for (const { inlineCommand, lines } of done) {
    const text = shortened(renderResult(inlineCommand, lines))
    length += text.length + 1
    if (length > maxResults) {
      texts.push(`[${truncated}]`)
      results.push({ command: null, lines: [{ kind: "text", text: truncated }] })
      break
    }
    texts.push(text)
    results.push({ command: commandOf(inlineCommand), lines: withinRoom(lines) })
  }
  return { text: [...texts, resultsEnd].join("\n"), results }
}

/** A result within the limit. It keeps its last line, which closes it; 20 characters are enough for the note. */
function shortened(result: string): string {
  if (result.length <= maxResult) return result
  const end = result.slice(result.lastIndexOf("\n"))
  return `${result.slice(0, maxResult - end.length - 20)}\n[RESULT TRUNCATED]${end}`
}

/** Cuts the lines of a result as `shortened` cuts its text: the lines that fit, the last one shortened. */
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
