/** A row that this version cannot read. It stays unchanged in the database and is left out of results. */
export interface UnreadableRow {
  table: string
  /** Null when the id is unreadable too. */
  id: string | null
  reason: string
}

/** Receives unreadable rows and reports each once. */
export interface UnreadableRows {
  add(table: string, data: string, error: unknown): void
}

/** Maximum number of remembered rows, so that each is reported once; a database with more is broken as a whole. */
const maxKnown = 10_000

export function createUnreadableRows(tell: (row: UnreadableRow) => void): UnreadableRows {
  const known = new Set<string>()
  return {
    add(table, data, error) {
      const id = /"id":"([^"]{1,100})"/.exec(data)?.[1] ?? null
      const key = `${table} ${id ?? data.slice(0, 200)}`
      if (known.has(key) || known.size >= maxKnown) return
      known.add(key)
      tell({ table, id, reason: reasonOf(error) })
    },
  }
}

/** The first error, in one line. */
function reasonOf(error: unknown): string {
  const issues = error instanceof Error && "issues" in error && Array.isArray(error.issues) ? error.issues : []
  const [first] = issues
  if (first !== undefined) return `${first.path.join(".") || "value"}: ${first.message}`
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? ""
}
