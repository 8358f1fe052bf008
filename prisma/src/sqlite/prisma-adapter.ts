import type { DatabaseSync, StatementSync } from "node:sqlite"
import {
  type ColumnType,
  DriverAdapterError,
  type IsolationLevel,
  type MappedError,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
  type SqlResultSet,
  type Transaction,
} from "@prisma/driver-adapter-utils"
import type { ConnectionLock } from "./connection-lock.ts"
import { columnTypes, declaredType, toSqlite } from "./prisma-values.ts"
import { constraint, isBusy, isSqliteError, type SqliteError } from "./sqlite-error.ts"

const about = { provider: "sqlite", adapterName: "docket-node-sqlite" } as const
/** SQLITE_MAX_VARIABLE_NUMBER of SQLite since 3.32 (https://www.sqlite.org/limits.html). */
const maxBindValues = 32_766
/** Maximum number of prepared statements, because a list of ids makes one statement per length. */
const maxStatements = 500

interface Prepared {
  statement: StatementSync
  names: string[]
  /** See `declaredType`. */
  types: (ColumnType | null)[]
}

/**
 * Lets Prisma's client use one synchronous connection, which others may share. A statement needs no trip through the
 * event loop and is prepared once; during a transaction the lock makes all other work wait. The caller closes the
 * connection.
 */
export function createSqliteAdapter(
  connection: DatabaseSync,
  lock: ConnectionLock,
): SqlMigrationAwareDriverAdapterFactory {
  const execute = createExecutor(connection)
  const adapter: SqlDriverAdapter = {
    ...about,
    queryRaw: (query) => lock.alone(() => execute.query(query)),
    executeRaw: (query) => lock.alone(() => execute.run(query)),
    executeScript: (script) => lock.alone(() => execute.script(script)),
    startTransaction: (isolation) => startTransaction(execute, lock, isolation),
    getConnectionInfo: () => ({ maxBindValues, supportsRelationJoins: false }),
    dispose: async () => {},
  }
  return { ...about, connect: async () => adapter, connectToShadowDb: async () => adapter }
}

type Executor = ReturnType<typeof createExecutor>

/** Runs Prisma's statements and throws the errors that Prisma expects. */
function createExecutor(connection: DatabaseSync) {
  const statements = new Map<string, Prepared>()
  const prepare = (sql: string): Prepared => {
    const known = statements.get(sql)
    if (known) return known
    const statement = connection.prepare(sql)
    const columns = statement.columns()
    statement.setReturnArrays(true)
    const prepared = {
      statement,
      names: columns.map(({ name }) => name),
      types: columns.map(({ type }) => declaredType(type)),
    }
    const [oldest] = statements.keys()
    if (statements.size >= maxStatements && oldest !== undefined) statements.delete(oldest)
    statements.set(sql, prepared)
    return prepared
  }
  const parameters = ({ args, argTypes }: SqlQuery) => args.map((value, index) => toSqlite(value, argTypes[index]))
  return {
    query: (query: SqlQuery): SqlResultSet =>
      translated(() => {
        const { statement, names, types } = prepare(query.sql)
        // The driver types rows as objects; this statement returns arrays.
        const rows = statement.all(...parameters(query)) as unknown as unknown[][]
        return { columnNames: names, columnTypes: columnTypes(types, rows), rows }
      }),
    run: (query: SqlQuery): number =>
      translated(() => Number(prepare(query.sql).statement.run(...parameters(query)).changes)),
    script: (script: string): void => translated(() => connection.exec(script)),
    isInTransaction: () => connection.isTransaction,
  }
}

async function startTransaction(
  execute: Executor,
  lock: ConnectionLock,
  isolation: IsolationLevel | undefined,
): Promise<Transaction> {
  if (isolation !== undefined && isolation !== "SERIALIZABLE") {
    throw new DriverAdapterError({ kind: "InvalidIsolationLevel", level: isolation })
  }
  await lock.acquire()
  try {
    execute.script("BEGIN IMMEDIATE")
  } catch (error) {
    lock.release()
    throw error
  }
  let isOver = false
  const end = async (statement: "COMMIT" | "ROLLBACK") => {
    // A failed commit was rolled back already, and others use the connection by now.
    if (isOver) return
    isOver = true
    try {
      execute.script(statement)
    } finally {
      if (execute.isInTransaction()) execute.script("ROLLBACK")
      lock.release()
    }
  }
  return {
    ...about,
    // Prisma then leaves BEGIN and COMMIT to the two functions here.
    options: { usePhantomQuery: true },
    queryRaw: async (query) => execute.query(query),
    executeRaw: async (query) => execute.run(query),
    commit: () => end("COMMIT"),
    rollback: () => end("ROLLBACK"),
    createSavepoint: async (name) => execute.script(`SAVEPOINT ${name}`),
    rollbackToSavepoint: async (name) => execute.script(`ROLLBACK TO ${name}`),
    releaseSavepoint: async (name) => execute.script(`RELEASE ${name}`),
  }
}

function translated<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isSqliteError(error) ? new DriverAdapterError(toPrisma(error)) : error
  }
}

function toPrisma(error: SqliteError): DriverAdapterError["cause"] {
  const original = { originalCode: String(error.errcode), originalMessage: error.message }
  return { ...mapped(error), ...original }
}

/** Maps SQLite's errors to Prisma's kinds. */
function mapped({ errcode, message }: SqliteError): MappedError {
  switch (errcode) {
    case constraint.unique:
    case constraint.primaryKey:
      return { kind: "UniqueConstraintViolation", constraint: { fields: fieldsIn(message) } }
    case constraint.notNull:
      return { kind: "NullConstraintViolation", constraint: { fields: fieldsIn(message) } }
    case constraint.foreignKey:
    case constraint.trigger:
      return { kind: "ForeignKeyConstraintViolation", constraint: { foreignKey: {} } }
    default:
      if (isBusy(errcode)) return { kind: "SocketTimeout" }
  }
  const table = /^no such table: (.+)$/.exec(message)?.[1]
  if (table !== undefined) return { kind: "TableDoesNotExist", table }
  const column = /(?:^no such column: |has no column named )(.+)$/.exec(message)?.[1]
  if (column !== undefined) return { kind: "ColumnNotFound", column }
  return { kind: "sqlite", extendedCode: errcode, message }
}

/** The columns in a message such as `UNIQUE constraint failed: Share.tenantID, Share.secretHash`. */
function fieldsIn(message: string): string[] {
  const [, columns = ""] = message.split("constraint failed: ")
  return columns.split(", ").map((column) => column.slice(column.indexOf(".") + 1))
}
