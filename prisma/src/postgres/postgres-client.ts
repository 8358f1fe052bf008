import type { Pool } from "pg"
import type { AccountClient, Client } from "../sql/database.ts"
import { clientOptions } from "../sql/lazy-client.ts"
import type { StatementNames } from "./statement-names.ts"

/** Loads Prisma's client on a pool. The caller closes the pool. */
export async function loadPostgresClient(pool: Pool, nameOf: StatementNames): Promise<Client> {
  // The generated entry would set a global `__dirname`; the class alone does not.
  const [{ getPrismaClientClass }, { createPostgresAdapter }] = await Promise.all([
    import("../generated/postgres/client/internal/class.ts"),
    import("./prisma-adapter.ts"),
  ])
  const PostgresClient = getPrismaClientClass()
  const client = new PostgresClient({ ...clientOptions, adapter: createPostgresAdapter(pool, nameOf) })
  // Both clients come from the same models; only optional arguments of their generics keep the types apart.
  return client as unknown as Client
}

/** Loads the client of the account tables in the same way. */
export async function loadPostgresAccounts(pool: Pool, nameOf: StatementNames): Promise<AccountClient> {
  const [{ getPrismaClientClass }, { createPostgresAdapter }] = await Promise.all([
    import("../generated/postgres/accounts/internal/class.ts"),
    import("./prisma-adapter.ts"),
  ])
  const PostgresClient = getPrismaClientClass()
  const client = new PostgresClient({ ...clientOptions, adapter: createPostgresAdapter(pool, nameOf) })
  return client as unknown as AccountClient
}
