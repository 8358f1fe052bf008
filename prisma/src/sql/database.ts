import type { Dialect } from "./dialect.ts"
import type { Program } from "./program.ts"

/** An open database that runs programs. */
export interface Database {
  dialect: Dialect
  read<T>(program: Program<T>): Promise<T>
  /** Runs the program as one transaction: when it throws, nothing of it stays. */
  write<T>(program: Program<T>): Promise<T>
  close(): Promise<void>
}
