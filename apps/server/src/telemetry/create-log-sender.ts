import { createScanner, type HomeOwner, redactText } from "@docket/core/redact"
import type { Context, Logger } from "@opentelemetry/api"
import { errorType } from "./describe-span.ts"
import { attribute } from "./names.ts"

/** A line of the service's log. */
export interface LogLine {
  text: string
  /** What failed; left out for a line that only tells. */
  error?: unknown
}

export interface LogSenderDeps {
  logger: Pick<Logger, "emit">
  owner: HomeOwner
  /** Makes names of what was taken out. */
  key: string
  /** Whether the words of errors are sent: they may hold what people and programs said. */
  content: boolean
  /** The span to which a line belongs. */
  context(): Context | undefined
}

/** The most characters of one text that are sent. */
const mostCharacters = 16_384
/** Source: severity numbers of the OpenTelemetry log data model. */
const severity = { info: 9, error: 17 } as const

/** Tells lines of the log, without secrets and names of the home directory. */
export function createLogSender({ logger, owner, key, content, context }: LogSenderDeps): (line: LogLine) => void {
  const { find } = createScanner({ key, owner, known: [], patterns: [] })
  const clean = (text: string) => {
    const shown = text.slice(0, mostCharacters)
    return redactText(shown, find(shown, { isWhole: true }))
  }
  const wordsOf = (error: unknown) => ({
    [attribute.exceptionMessage]: clean(error instanceof Error ? error.message : String(error)),
    ...(error instanceof Error && { [attribute.exceptionStack]: clean(error.stack ?? "") }),
  })
  return (line) => {
    const isError = "error" in line
    const at = context()
    logger.emit({
      severityNumber: isError ? severity.error : severity.info,
      severityText: isError ? "ERROR" : "INFO",
      body: clean(line.text),
      ...(at && { context: at }),
      ...(isError && {
        attributes: { [attribute.exceptionType]: errorType(line.error), ...(content && wordsOf(line.error)) },
      }),
    })
  }
}
