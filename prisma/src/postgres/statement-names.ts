/** A short name for each statement, under which a connection keeps it prepared. */
export type StatementNames = (sql: string) => string

/** Maximum number of names, because a list of ids makes one statement per length. */
const maxNames = 500

/** Beyond the maximum, a statement has no name and is prepared each time. */
export function createStatementNames(): (sql: string) => string {
  const names = new Map<string, string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= maxNames) return known ?? ""
    const name = `docket_${names.size}`
    names.set(sql, name)
    return name
  }
}
