import type { AccountClient, Accounts, Database } from "../sql/database.ts"

/** The tables of people and their ways in, by the client's names of them. */
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
 * What better-auth's adapter for Prisma needs of a client: the calls of the tables of accounts alone. They go the way of
 * all other calls, so that the client is loaded by the first of them and nothing is written once another service has
 * taken the database.
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
      // Made of the list of models just above.
      ...(tables as Record<AccountModel, Calls>),
      $transaction: (work) => write((client: AccountClient) => client.$transaction((inner) => work(inner))),
    },
  }
}
