import type { ProviderAccount } from "@docket/core/plugged-providers"
import type { AskDocket } from "../ask-docket.ts"
import { type PluginSignIns, SavedAuth } from "./sign-in-store.ts"

/**
 * What the client of a plugin reaches in the process in which it signs in: the sign-in to its own provider, and nothing
 * else.
 */
export function createAccountDoor(
  signIns: Pick<PluginSignIns, "get" | "renew">,
  of: { plugin: string; providers: readonly string[] },
): AskDocket {
  return async ({ method, path, body }) => {
    const asked = /^\/auth\/([^/?]+)(?:\?|$)/.exec(path)?.[1]
    if (asked === undefined || (method !== "GET" && method !== "PUT"))
      return refused(
        501,
        `Where a plugin signs in, its client reads and renews its sign-in, and no more: ${method} ${path}`,
      )
    const providerID = decoded(asked)
    if (!of.providers.includes(providerID))
      return refused(403, `A plugin has the sign-in to its own provider alone, which is not "${providerID}".`)
    const saved = await signIns.get({ plugin: of.plugin, providerID })
    if (saved === null) return refused(404, `Nobody is signed in to ${providerID}.`)
    if (method === "GET") return Response.json(saved.auth)
    const auth = SavedAuth.safeParse(parsed(body)).data
    if (auth === undefined)
      return refused(400, "A sign-in is {type: oauth, refresh, access, expires} or {type: api, key}.")
    const account: ProviderAccount = { plugin: of.plugin, providerID, since: saved.since }
    return (await signIns.renew(account, auth)) ? Response.json(true) : refused(409, "Somebody signed out meanwhile.")
  }
}

function refused(status: number, message: string): Response {
  return Response.json({ name: "NotSupportedError", data: { message } }, { status })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? "null")
  } catch {
    return null
  }
}
