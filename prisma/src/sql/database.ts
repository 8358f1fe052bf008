import type { PrismaClient as AccountPrismaClient } from "../generated/sqlite/accounts/client.ts"
import type { PrismaClient } from "../generated/sqlite/client/client.ts"
import type { Dialect } from "./dialect.ts"
import type { LazyClient } from "./lazy-client.ts"
import type { Program } from "./program.ts"

/** Prisma's client. Both databases have the same models, so the types of the one client stand for both. */
export type Client = PrismaClient

/** The client of accounts alone, which local mode never loads. */
export type AccountClient = AccountPrismaClient

export interface LazyClients {
  records: LazyClient<Client>
  accounts: LazyClient<AccountClient>
}

/** A program that can be begun again, as the connection may break in the middle of it. */
export interface ProgramWork<T> {
  program(): Program<T>
}

/**
 * What is asked of a database: calls of Prisma's client, or a program, for the transactions of a turn and for what
 * the client's queries cannot say. Calls that write come to the same when they are made twice.
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
  /** Runs a program as one transaction: when it throws, nothing of it stays. Calls stand each for itself. */
  write<T>(work: Work<T>): Promise<T>
  accounts: Accounts
  close(): Promise<void>
}
