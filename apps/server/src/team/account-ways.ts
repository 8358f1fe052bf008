import { DocketError, type InOrder } from "@docket/core"
import type { Context } from "./create-accounts.ts"
import { providersOf } from "./provider-settings.ts"
import type { TeamSettings } from "./team-settings.ts"

export interface AccountWaysDeps {
  context: Pick<Context, "adapter" | "internalAdapter">
  settings: TeamSettings
  inOrder: InOrder
}

interface PasskeyRow {
  id: string
}

/** Maximum number of passkeys per account. */
const mostPasskeys = 1_000

/** The sign-in methods of a user. The last one cannot be removed, so that users do not lock themselves out. */
export function createAccountWays({ context, settings, inOrder }: AccountWaysDeps) {
  const { adapter, internalAdapter } = context
  const model = "passkey"
  const passkeyOf = (person: string, id: string) => [
    { field: "id", value: id },
    { field: "userId", value: person },
  ]
  const passkeysOf = (person: string) =>
    adapter.findMany<PasskeyRow>({ model, where: [{ field: "userId", value: person }], limit: mostPasskeys })
  /** Sign-in methods by name. Accounts of a provider that is no longer configured do not count. */
  const waysOf = async (person: string) => {
    const accounts = await internalAdapter.findAccounts(person)
    const configured = new Set(providersOf(settings).map(({ id }) => id))
    return [
      ...accounts.flatMap(({ password, providerId }) =>
        password ? ["password"] : configured.has(providerId) ? [providerId] : [],
      ),
      ...(await passkeysOf(person)).map(({ id }) => id),
    ]
  }
  /** Removals run in sequence, so that two at once cannot remove the last two methods. */
  const removing = (person: string, way: string, work: () => Promise<void>) =>
    inOrder(`ways of ${person}`, async () => {
      const ways = await waysOf(person)
      if (ways.includes(way) && ways.every((each) => each === way))
        throw new DocketError("last_way_in", "This is the only way that you can sign in. Set up another one first.")
      await work()
    })
  return {
    /** Whether the user could still sign in without this method. */
    async canGo(person: string, way: string): Promise<boolean> {
      return (await waysOf(person)).some((each) => each !== way)
    },
    /** @throws last_way_in, sign_in_not_found */
    unlink: (person: string, provider: string) =>
      removing(person, provider, async () => {
        const linked = (await internalAdapter.findAccounts(person)).filter(
          ({ providerId, password }) => providerId === provider && !password,
        )
        if (linked.length === 0)
          throw new DocketError("sign_in_not_found", "No account of this provider is linked with yours any more.")
        for (const { id } of linked) await internalAdapter.deleteAccount(id)
      }),
    /** @throws last_way_in, sign_in_not_found */
    removePasskey: (person: string, id: string) =>
      removing(person, id, async () => {
        const removed = await adapter.deleteMany({ model, where: passkeyOf(person, id) })
        if (removed === 0) throw passkeyGone()
      }),
    /** @throws sign_in_not_found */
    async renamePasskey(person: string, id: string, name: string): Promise<void> {
      const renamed = await adapter.updateMany({ model, where: passkeyOf(person, id), update: { name } })
      if (renamed === 0) throw passkeyGone()
    },
  }
}

function passkeyGone(): DocketError {
  return new DocketError("sign_in_not_found", "You have no such passkey any more. Load the page again.")
}

export type AccountWays = ReturnType<typeof createAccountWays>
