import type { DatabaseSync } from "node:sqlite"
import type { AccountClient, Client } from "../sql/database.ts"
import { clientOptions } from "../sql/lazy-client.ts"
import type { ConnectionLock } from "./connection-lock.ts"

/** Loads Prisma's client on a connection. The caller closes the connection. */
export async function loadSqliteClient(connection: DatabaseSync, lock: ConnectionLock): Promise<Client> {
  // The generated entry would set a global `__dirname`; the class alone does not.
  const [{ getPrismaClientClass }, { createSqliteAdapter }] = await Promise.all([
    import("../generated/sqlite/client/internal/class.ts"),
    import("./prisma-adapter.ts"),
  ])
  const SqliteClient = getPrismaClientClass()
  return new SqliteClient({ ...clientOptions, adapter: createSqliteAdapter(connection, lock) })
}

/** Loads the client of the account tables in the same way. */
export async function loadSqliteAccounts(connection: DatabaseSync, lock: ConnectionLock): Promise<AccountClient> {
  const [{ getPrismaClientClass }, { createSqliteAdapter }] = await Promise.all([
    import("../generated/sqlite/accounts/internal/class.ts"),
    import("./prisma-adapter.ts"),
  ])
  const SqliteClient = getPrismaClientClass()
  return new SqliteClient({ ...clientOptions, adapter: createSqliteAdapter(connection, lock) })
}
