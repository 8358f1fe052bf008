import type { ComparedErrors } from "./compare-errors.ts"
import type { FileError } from "./read-diagnostics.ts"

/** What a server found in a file after a change. */
export type Outcome =
  | { kind: "found"; own: ComparedErrors; others: { file: string; fresh: readonly FileError[] }[] }
  | { kind: "unknown" }
  | { kind: "failed"; reason: string }

/** Errors shown of one file (OpenCode shows as many), and other files shown. */
const shownErrors = 20
const shownOthers = 5

/** The outcome of a check for the model. `file` and other files are named as the model names them. */
export function describeCheck(
  server: string,
  file: string,
  outcome: Outcome,
  { seconds }: { seconds: number },
): string {
  switch (outcome.kind) {
    case "failed":
      return `[${server} could not check ${file}: ${outcome.reason}]`
    case "unknown":
      return `[${server} has not said within ${seconds} s whether ${file} has errors: it is not known yet. What it finds is told with a later step.]`
    case "found": {
      const others = outcome.others.filter(({ fresh }) => fresh.length > 0)
      const lines = [
        ownLine(server, file, outcome.own),
        ...outcome.own.fresh.slice(0, shownErrors).map((error) => `  ${errorLine(error)}`),
        ...more(outcome.own.fresh.length, shownErrors, "errors"),
      ]
      if (others.length > 0) lines.push("New errors in other files:")
      for (const other of others.slice(0, shownOthers)) {
        lines.push(...other.fresh.slice(0, shownOthers).map((error) => `  ${other.file}:${errorLine(error)}`))
        lines.push(...more(other.fresh.length, shownOthers, `errors in ${other.file}`))
      }
      lines.push(...more(others.length, shownOthers, "files"))
      return lines.join("\n")
    }
    default:
      return outcome satisfies never
  }
}

function ownLine(server: string, file: string, { fresh, old, gone }: ComparedErrors): string {
  const before = old === 0 ? "" : `; ${counted(old)} from before ${old === 1 ? "is" : "are"} still there`
  const solved = gone === 0 ? "" : `, ${gone} solved`
  if (fresh.length === 0) return `[${server}: no ${old === 0 ? "" : "new "}errors in ${file}${solved}${before}]`
  return `${server} reports ${counted(fresh.length, "new ")} in ${file}${solved}${before}:`
}

function counted(count: number, kind = ""): string {
  return `${count} ${kind}${count === 1 ? "error" : "errors"}`
}

function errorLine({ line, column, message, code }: FileError): string {
  return `${line}:${column} ${message}${code === "" ? "" : ` [${code}]`}`
}

function more(count: number, shown: number, what: string): string[] {
  return count > shown ? [`  and ${count - shown} more ${what}`] : []
}
