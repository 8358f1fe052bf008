import { PrismaPg } from "@prisma/adapter-pg"
import type { SqlDriverAdapterFactory, SqlQuery, SqlQueryable, Transaction } from "@prisma/driver-adapter-utils"
import type { Pool } from "pg"
import type { StatementNames } from "./statement-names.ts"
import { withoutNul } from "./without-nul.ts"

/** Prisma's adapter on a pool that the caller closes, with prepared statements and without NUL in parameters. */
export function createPostgresAdapter(pool: Pool, nameOf: StatementNames): SqlDriverAdapterFactory {
  const factory = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => nameOf(sql) })
  const { provider, adapterName } = factory
  return {
    provider,
    adapterName,
    async connect() {
      const adapter = await factory.connect()
      return {
        ...queries(adapter),
        executeScript: (script) => adapter.executeScript(script),
        startTransaction: async (isolation) => transaction(await adapter.startTransaction(isolation)),
        getConnectionInfo: () => adapter.getConnectionInfo(),
        dispose: () => adapter.dispose(),
      }
    },
  }
}

function transaction(open: Transaction): Transaction {
  return {
    ...queries(open),
    options: open.options,
    commit: () => open.commit(),
    rollback: () => open.rollback(),
    createSavepoint: async (name) => open.createSavepoint?.(name),
    rollbackToSavepoint: async (name) => open.rollbackToSavepoint?.(name),
    releaseSavepoint: async (name) => open.releaseSavepoint?.(name),
  }
}

function queries(queryable: SqlQueryable): SqlQueryable {
  const { provider, adapterName } = queryable
  const clean = (query: SqlQuery) => ({ ...query, args: withoutNul(query.args) })
  return {
    provider,
    adapterName,
    queryRaw: (query) => queryable.queryRaw(clean(query)),
    executeRaw: (query) => queryable.executeRaw(clean(query)),
  }
}
