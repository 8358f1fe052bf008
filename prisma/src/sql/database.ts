import type { PrismaClient as AccountPrismaClient } from "../generated/sqlite/accounts/client.ts"
import type { PrismaClient } from "../generated/sqlite/client/client.ts"
import type { Dialect } from "./dialect.ts"
import type { LazyClient } from "./lazy-client.ts"
import type { Program } from "./program.ts"

/** Prisma's client. Both databases have the same models, so both use the types of one client. */
export type Client = PrismaClient

/** The client of accounts alone, which local mode never loads. */
export type AccountClient = AccountPrismaClient

export interface LazyClients {
  records: LazyClient<Client>
  accounts: LazyClient<AccountClient>
}

/** Creates the program anew for each try, because the connection may break while it runs. */
export interface ProgramWork<T> {
  program(): Program<T>
}

/**
 * Runs calls of Prisma's client, and programs: the transactions of a turn and queries that the client cannot express.
 * Writing calls must be idempotent.
 */
export type Work<T> = ((client: Client) => Promise<T>) | ProgramWork<T>

/** Calls of the client of accounts. */
export interface Accounts {
  read<T>(work: (client: AccountClient) => Promise<T>): Promise<T>
  write<T>(work: (client: AccountClient) => Promise<T>): Promise<T>
}

export interface Database {
  dialect: Dialect
  read<T>(work: Work<T>): Promise<T>
  /** Runs a program as one transaction, rolled back when it throws. Each client call is a transaction of its own. */
  write<T>(work: Work<T>): Promise<T>
  accounts: Accounts
  close(): Promise<void>
}
