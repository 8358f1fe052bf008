/** A short name for each statement, by which a connection keeps it prepared. */
export type StatementNames = (sql: string) => string

/** Names that are given; a list of ids makes a statement for each of its lengths. */
const maxNames = 500

/** Beyond the most that are given, a statement has no name and is prepared each time. */
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
