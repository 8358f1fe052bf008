import type { WritContext, WritRunner, WritRunners } from "../loop/writ-runner.ts"
import { framedResult } from "../writ/framed-result.ts"
import { type ParsedWrits, parseWrits, type Writ, type WritVerb } from "../writ/parse-writs.ts"

/** Characters of one result and of all results of one text that a model is shown (16 and 32 KiB). */
const maxResult = 16 * 1024
const maxResults = 32 * 1024
/** Writs of one text that are carried out; the others are answered with `SKIPPED:`. */
const maxWrits = 100

const resultsEnd = "[END TOOL RESULTS]"

/** Runners by verb. Each part of the core brings its own. */
export function createWritRunners(runners: Partial<Record<WritVerb, WritRunner>>): WritRunners {
  const find = (text: string, options: { finished: boolean }): ParsedWrits => {
    const { writs, rest } = parseWrits(text, options)
    return { writs: writs.filter((writ) => runners[writ.verb] !== undefined), rest }
  }
  return {
    find,
    async run(text, { finished, ...context }) {
      const { writs, rest } = find(text, { finished })
      if (writs.length === 0) return { results: null, rest }
      const results: string[] = []
      for (const [index, writ] of writs.entries()) {
        context.signal.throwIfAborted()
        results.push(index < maxWrits ? shortened(await runOne(runners[writ.verb], writ, context)) : skipped(writ))
      }
      return { results: [withinBudget(results), resultsEnd].join("\n"), rest }
    },
  }
}

async function runOne(runner: WritRunner | undefined, writ: Writ, context: WritContext): Promise<string> {
  try {
    return runner === undefined ? framedResult(writ, "ERR: not available here") : await runner(writ, context)
  } catch (error) {
    context.signal.throwIfAborted()
    return framedResult(writ, `ERR: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function skipped(writ: Writ): string {
  return framedResult(writ, `SKIPPED: at most ${maxWrits} commands are carried out in one answer`)
}

function shortened(result: string): string {
  if (result.length <= maxResult) return result
  const end = result.slice(result.lastIndexOf("\n"))
  return `${result.slice(0, maxResult - end.length - 20)}\n[RESULT TRUNCATED]${end}`
}

function withinBudget(results: string[]): string {
  const shown: string[] = []
  let length = 0
  for (const result of results) {
    length += result.length + 1
    if (length > maxResults) {
      shown.push("[TOOL RESULTS TRUNCATED: budget exhausted]")
      break
    }
    shown.push(result)
  }
  return shown.join("\n")
}
