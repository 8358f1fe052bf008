import type { AccountClient, Accounts, Database } from "../sql/database.ts"

/** The tables of users and their sign-in methods, by their names in the client. */
export const accountModels = [
  "authUser",
  "authSession",
  "authAccount",
  "authVerification",
  "authOrganization",
  "authMember",
  "authInvitation",
  "authTwoFactor",
  "authPasskey",
  "authDeviceCode",
  "authApiKey",
] as const

type AccountModel = (typeof accountModels)[number]
type Calls = Record<string, (query?: unknown) => Promise<unknown>>

/**
 * The part of a client that better-auth's Prisma adapter needs: calls of the account tables. They go through the
 * database like all other calls: the first one loads the client, and nothing is written after another service took the
 * database.
 */
export interface AccountTables {
  provider: "sqlite" | "postgresql"
  client: Record<AccountModel, Calls> & { $transaction<T>(work: (client: unknown) => Promise<T>): Promise<T> }
}

const reads = ["findFirst", "findMany", "count"]
const writes = ["create", "update", "updateMany", "delete", "deleteMany"]

export function createAccountTables({ dialect, accounts: { read, write } }: Database): AccountTables {
  const callsOf = (model: AccountModel): Calls => {
    const call = (name: string, ask: Accounts["read"]) => (query?: unknown) =>
      ask((client) => {
        const table = client[model] as unknown as Calls
        const named = table[name]
        if (named === undefined) throw new TypeError(`the client of Prisma has no ${model}.${name}`)
        return named.call(table, query)
      })
    return Object.fromEntries([
      ...reads.map((name) => [name, call(name, read)] as const),
      ...writes.map((name) => [name, call(name, write)] as const),
    ])
  }
  const tables = Object.fromEntries(accountModels.map((model) => [model, callsOf(model)]))
  return {
    provider: dialect.name === "sqlite" ? "sqlite" : "postgresql",
    client: {
      // The cast is safe: the tables are built from the list of models above.
      ...(tables as Record<AccountModel, Calls>),
      $transaction: (work) => write((client: AccountClient) => client.$transaction((inner) => work(inner))),
    },
  }
}
