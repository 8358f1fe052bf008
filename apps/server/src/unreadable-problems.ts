import type { ConfigProblem } from "@docket/core"
import type { UnreadableRow } from "@docket/db"

/** Maximum number of rows that are listed; of more, only the number is reported. */
const maxNamed = 20

/**
 * Reports unreadable rows: in the log when they are found, and with the problems of the configuration, where users look
 * for errors.
 * @param database its file or name
 */
export function createUnreadableProblems(database: string, report: (line: string) => void) {
  const rows: UnreadableRow[] = []
  return {
    add(row: UnreadableRow): void {
      rows.push(row)
      report(describe(row))
    },
    problems(): ConfigProblem[] {
      const messages = rows.slice(0, maxNamed).map(describe)
      if (rows.length > maxNamed) messages.push(`${rows.length - maxNamed} more rows cannot be read either.`)
      return messages.map((message) => ({ file: database, line: null, column: null, message }))
    },
  }
}

function describe({ table, id, reason }: UnreadableRow): string {
  const which = id === null ? `A row of ${table}` : `${table} ${id}`
  return `${which} in the database cannot be read and is left out (${reason}). It stays stored; update Docket, or restore a backup.`
}
