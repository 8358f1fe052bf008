import type { Readable } from "node:stream"
import { setTimeout as delay } from "node:timers/promises"
import type { DocketClient } from "@docket/client"
import type { BegunSignIn, ListedExtension } from "@docket/core/schema"
import { UsageError } from "./usage-error.ts"

/** Where a person signs in to an extension. */
export interface SignInPlace<Kind extends "mcp" | "plugin"> {
  client: Pick<DocketClient, "extension">
  named: { projectID?: string; kind: Kind; name: string }
  /** Where a person types what they are given in the browser. */
  input: Readable
  print(text: string): void
  signal: AbortSignal
}

type Looking = Pick<SignInPlace<"mcp" | "plugin">, "client" | "named" | "signal">

/** ms between two looks whether somebody has signed in. */
const pauseMs = 500

/** The extension as it is now; undefined where there is none of that name. */
export async function findExtension({ client, named }: Omit<Looking, "signal">): Promise<ListedExtension | undefined> {
  const { kind, name, ...place } = named
  const items = await client.extension.list.query(place)
  return items.find(({ ref }) => ref.kind === kind && ref.name === name)
}

/**
 * Waits until somebody has signed in.
 * @param isSignedIn throws when the sign-in has failed
 * @throws UsageError when nobody does in time
 */
export async function untilSignedIn(
  place: Looking,
  { expiresAt }: BegunSignIn,
  isSignedIn: (item: ListedExtension | undefined) => boolean,
): Promise<void> {
  while (Date.now() < expiresAt) {
    if (isSignedIn(await findExtension(place))) return
    await delay(pauseMs, undefined, { signal: place.signal })
  }
  throw new UsageError("nobody signed in in time; begin again")
}
