import { createKeyedQueue, DocketError } from "@docket/core"
import { createSecret, hashSecret } from "../auth/secret.ts"
import type { Context } from "./create-accounts.ts"

/** What a link is for, and how long it works (ms). */
const kinds = { "first-owner": 60 * 60_000, reset: 24 * 60 * 60_000 } as const
type Kind = keyof typeof kinds

export interface OneTimeLinks {
  /** Makes what stands in a link. Only its hash is stored; what it stands for comes back once. */
  create(kind: Kind, value: string): Promise<{ secret: string; expires: number }>
  /** The same, and ends those that stood for the same before. */
  replace(kind: Kind, value: string): Promise<{ secret: string; expires: number }>
  /** What a link stands for; null for one that is unknown, used or expired. */
  look(kind: Kind, secret: string): Promise<string | null>
  /** The same, and ends it: the first of several gets it. */
  consume(kind: Kind, secret: string): Promise<string | null>
  /** Ends all that stand for the same. */
  endOf(kind: Kind, value: string): Promise<void>
}

export function createOneTimeLinks(
  { internalAdapter, adapter }: Pick<Context, "internalAdapter" | "adapter">,
  clock: () => number,
): OneTimeLinks {
  const inOrder = createKeyedQueue()
  const name = (kind: Kind, secret: string) => `${kind}:${hashSecret(secret)}`
  const create: OneTimeLinks["create"] = async (kind, value) => {
    const secret = createSecret()
    const expires = clock() + kinds[kind]
    const identifier = name(kind, secret)
    await internalAdapter.createVerificationValue({ identifier, value, expiresAt: new Date(expires) })
    return { secret, expires }
  }
  const endOf: OneTimeLinks["endOf"] = async (kind, value) => {
    const where = [
      { field: "value", value },
      { field: "identifier", operator: "starts_with", value: `${kind}:` } as const,
    ]
    await adapter.deleteMany({ model: "verification", where })
  }
  return {
    create,
    replace: (kind, value) =>
      // Two that are made at once would else both stay.
      inOrder(`${kind} ${value}`, async () => {
        await endOf(kind, value)
        return create(kind, value)
      }),
    async look(kind, secret) {
      const found = await internalAdapter.findVerificationValue(name(kind, secret))
      return found && found.expiresAt.getTime() > clock() ? found.value : null
    },
    consume: async (kind, secret) =>
      (await internalAdapter.consumeVerificationValue(name(kind, secret)))?.value ?? null,
    endOf,
  }
}

/** The same for every way in which a link can be dead, so that guessing tells nothing. */
export function linkGone(): DocketError {
  return new DocketError("link_not_found", "This link was used, has expired or was taken back. Ask for a new one.")
}
