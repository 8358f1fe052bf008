import type { PrismaClient } from "../generated/sqlite/client/client.ts"
import type { Dialect } from "./dialect.ts"
import type { Program } from "./program.ts"

/** Prisma's client. Both databases have the same models, so the types of the one client stand for both. */
export type Client = PrismaClient

/**
 * What is asked of a database: calls of Prisma's client, or a program, for the transactions of a turn and for what
 * the client's queries cannot say.
 */
export type Work<T> = ((client: Client) => Promise<T>) | Program<T>

export interface Database {
  dialect: Dialect
  read<T>(work: Work<T>): Promise<T>
  /** Runs a program as one transaction: when it throws, nothing of it stays. Calls stand each for itself. */
  write<T>(work: Work<T>): Promise<T>
  close(): Promise<void>
}
