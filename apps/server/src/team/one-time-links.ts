import { DocketError, type InOrder } from "@docket/core"
import { createSecret, hashSecret } from "../auth/secret.ts"
import type { Context } from "./create-accounts.ts"

/** The kinds of links, and how long each works (ms). */
const kinds = { "first-owner": 60 * 60_000, reset: 24 * 60 * 60_000 } as const
type Kind = keyof typeof kinds

/** What a link stands for. No part contains a blank. */
export interface LinkValue {
  /** The id of a user or a workspace. */
  about: string
  /** Further values. */
  more: readonly string[]
}

export interface OneTimeLinks {
  /** Creates a secret for a link. Only its hash is stored; its value can be consumed once. */
  create(kind: Kind, about: string, more?: readonly string[]): Promise<{ secret: string; expires: number }>
  /** Like `create`, and ends earlier links of the kind about the same. */
  replace(kind: Kind, about: string, more?: readonly string[]): Promise<{ secret: string; expires: number }>
  /** The value of a link; null for one that is unknown, used or expired. */
  look(kind: Kind, secret: string): Promise<LinkValue | null>
  /** Like `look`, and ends the link: only the first of several callers gets the value. */
  consume(kind: Kind, secret: string): Promise<LinkValue | null>
  /** Ends all links of the kind about this. */
  endOf(kind: Kind, about: string): Promise<void>
}

export function createOneTimeLinks(
  { internalAdapter, adapter }: Pick<Context, "internalAdapter" | "adapter">,
  { inOrder, clock }: { inOrder: InOrder; clock: () => number },
): OneTimeLinks {
  const name = (kind: Kind, secret: string) => `${kind}:${hashSecret(secret)}`
  const parse = (value: string): LinkValue => {
    const [about = "", ...more] = value.split(" ")
    return { about, more }
  }
  const create: OneTimeLinks["create"] = async (kind, about, more = []) => {
    const secret = createSecret()
    const expires = clock() + kinds[kind]
    const stored = { identifier: name(kind, secret), value: [about, ...more].join(" ") }
    await internalAdapter.createVerificationValue({ ...stored, expiresAt: new Date(expires) })
    return { secret, expires }
  }
  const endOf: OneTimeLinks["endOf"] = async (kind, about) => {
    const where = [
      { field: "identifier", operator: "starts_with", value: `${kind}:` } as const,
      { field: "value", value: about, connector: "OR" } as const,
      { field: "value", operator: "starts_with", value: `${about} `, connector: "OR" } as const,
    ]
    await adapter.deleteMany({ model: "verification", where })
  }
  return {
    create,
    replace: (kind, about, more) =>
      // Otherwise two links that are created at once would both stay valid.
      inOrder(`links ${kind} ${about}`, async () => {
        await endOf(kind, about)
        return create(kind, about, more)
      }),
    async look(kind, secret) {
      const found = await internalAdapter.findVerificationValue(name(kind, secret))
      return found && found.expiresAt.getTime() > clock() ? parse(found.value) : null
    },
    async consume(kind, secret) {
      const found = await internalAdapter.consumeVerificationValue(name(kind, secret))
      return found && parse(found.value)
    },
    endOf,
  }
}

/** The same error for every invalid link, so that guessing reveals nothing. */
export function linkGone(): DocketError {
  return new DocketError("link_not_found", "This link was used, has expired or was taken back. Ask for a new one.")
}
