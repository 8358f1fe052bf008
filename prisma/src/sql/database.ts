import type { PrismaClient as AccountPrismaClient } from "../generated/sqlite/accounts/client.ts"
import type { PrismaClient } from "../generated/sqlite/client/client.ts"
import type { Dialect } from "./dialect.ts"
import type { LazyClient } from "./lazy-client.ts"
import type { Program } from "./program.ts"

/** Prisma's client. Both databases have the same models, so the types of one client serve for both. */
export type Client = PrismaClient

/** The client of the account tables, which local mode never loads. */
export type AccountClient = AccountPrismaClient

export interface LazyClients {
  records: LazyClient<Client>
  accounts: LazyClient<AccountClient>
}

/** Creates the program again for each attempt, because the connection may break while it runs. */
export interface ProgramWork<T> {
  program(): Program<T>
}

/**
 * Calls of Prisma's client, or a program: a transaction of a turn, or a query that the client cannot express. Writing
 * calls must be idempotent.
 */
export type DatabaseWork<T> = ((client: Client) => Promise<T>) | ProgramWork<T>

/** Calls of the client of the account tables. */
export interface Accounts {
  read<T>(work: (client: AccountClient) => Promise<T>): Promise<T>
  write<T>(work: (client: AccountClient) => Promise<T>): Promise<T>
}

export interface Database {
  dialect: Dialect
  read<T>(work: DatabaseWork<T>): Promise<T>
  /**
   * Runs a program as one transaction, which is rolled back when it throws. Each client call is a separate transaction.
   */
  write<T>(work: DatabaseWork<T>): Promise<T>
  accounts: Accounts
  close(): Promise<void>
}
