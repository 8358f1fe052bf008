import { DocketError } from "@docket/core/store"
import type { Database } from "./database.ts"

/** A database that writes only while this process is its owner: another one may go on with the work. */
export function guardWrites(database: Database, isOwner: () => boolean): Database {
  const requireOwner = () => {
    if (isOwner()) return
    throw new DocketError(
      "store_unavailable",
      "The connection to the PostgreSQL database broke, and Docket writes nothing until it is sure to be the only service on it.",
    )
  }
  return {
    ...database,
    async write(work) {
      requireOwner()
      return database.write(work)
    },
    accounts: {
      ...database.accounts,
      async write(work) {
        requireOwner()
        return database.accounts.write(work)
      },
    },
  }
}
