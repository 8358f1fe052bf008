import { isIP } from "node:net"
import { createCheckedFetch } from "@docket/core/checked-fetch"
import type { ExtensionPlace } from "@docket/core/extension-host"
import type { BegunSignIn, McpRemote, McpServer } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import { createServerAuth, type ServerAuth } from "./server-auth.ts"
import { createSignInFlows, type SignInFlows } from "./sign-in-flows.ts"
import { createSignInStore, type SignInKey, type SignInStore } from "./sign-in-store.ts"
import type { SignInTarget } from "./sign-in-target.ts"

/** A remote server that people, or Docket itself, sign in to. */
export type SignInServer = McpServer & { config: McpRemote }

/** The sign-ins of a workspace to its servers. */
export interface SignIns {
  /** What gives the requests of a person their token; null where the configuration wants no sign-in. */
  authOf(place: ExtensionPlace, server: SignInServer, person: string | null): ServerAuth | null
  begin(
    who: { place: ExtensionPlace; server: SignInServer; person: string | null },
    choice: { by: string; method: "browser" | "device"; onDone(error: Error | null): void },
  ): Promise<BegunSignIn>
  finish(
    who: { place: ExtensionPlace; server: SignInServer; person: string | null },
    answer: { by: string; redirected: string },
  ): Promise<void>
  forget(place: ExtensionPlace, server: SignInServer, person: string | null): Promise<void>
  close(): Promise<void>
}

export function createSignIns({ timers, clock }: { timers: Timers; clock(): number }): SignIns {
  const refreshing = new Map<string, Promise<void>>()
  const flows = new Map<string, SignInFlows>()
  /** By what they may reach: one for all connections to an address. */
  const fetches = new Map<string, ReturnType<typeof createCheckedFetch>>()
  /** One for each sign-in, for it does one change after the other. */
  const stores = new Map<string, SignInStore>()
  const storeFor = (place: ExtensionPlace, key: SignInKey) => {
    const id = JSON.stringify([place.dataDirectory, key])
    const store = stores.get(id) ?? createSignInStore(place.vault, key)
    stores.set(id, store)
    return store
  }
  const fetchFor = (place: ExtensionPlace, server: SignInServer) => {
    const key = JSON.stringify([server.config.url, server.scope, place.isShared])
    const checked =
      fetches.get(key) ??
      createCheckedFetch({
        mayReachLocally: mayReachLocally(place, server),
        mostBytes: 1_048_576,
        longestMs: 30_000,
      })
    fetches.set(key, checked)
    return checked.fetch
  }
  const targetOf = (place: ExtensionPlace, server: SignInServer, person: string | null): SignInTarget => {
    const url = new URL(server.config.url)
    const store = storeFor(place, {
      ...{ server: server.name, url: url.href, person },
      projectID: server.scope === "user" ? null : place.project.id,
    })
    return { server: server.name, url, config: server.config.oauth || {}, store, fetch: fetchFor(place, server) }
  }
  const flowsOf = (place: ExtensionPlace) => {
    const known = flows.get(place.dataDirectory)
    if (known !== undefined) return known
    const made = createSignInFlows({ vault: place.vault, timers, clock })
    flows.set(place.dataDirectory, made)
    return made
  }
  return {
    authOf(place, server, person) {
      if (server.config.oauth === false) return null
      const { server: name, url, config, ...target } = targetOf(place, server, person)
      return createServerAuth({ ...target, clock, refreshing }, { server: name, url, config })
    },
    begin: ({ place, server, person }, choice) => flowsOf(place).begin(targetOf(place, server, person), choice),
    finish: ({ place, server, person }, { by, redirected }) =>
      flowsOf(place).finish(targetOf(place, server, person), by, redirected),
    forget: (place, server, person) => targetOf(place, server, person).store.remove(),
    async close() {
      await Promise.all([...flows.values()].map((one) => one.close()))
      await Promise.all([...fetches.values()].map((one) => one.close()))
    },
  }
}

/**
 * A server on this machine may sign in at another port of it. One on the internet names only what is on the internet, so
 * that its metadata leads into no private network.
 */
function mayReachLocally({ isShared }: ExtensionPlace, { config, scope }: SignInServer): (url: URL) => boolean {
  const own = new URL(config.url)
  const isTrusted = scope === "user" || !isShared
  return (target) => isTrusted && (target.host === own.host || (isLocal(own) && isLocal(target)))
}

function isLocal({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "")
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
}
