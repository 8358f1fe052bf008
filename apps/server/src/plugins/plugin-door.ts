import { randomBytes } from "node:crypto"
import { type Auth, bearerToken, type Identity } from "@docket/api"
import { type Caller, localPerson, tokenPerson } from "@docket/core/schema"
import type { AskDocket } from "@docket/plugins"

/** Lets the plugins of each workspace call the service that runs them, while it runs. */
export interface PluginDoor {
  /** Answers plugins of a workspace by its routes for OpenCode's clients. */
  ask(workspace: string): AskDocket
  /** As whom they listen. */
  callerIn(workspace: string): Caller
  /** The address of these routes, once the service listens. */
  address(): string
  /** The same sign-in, and that of plugins. */
  around(auth: Auth): Auth
  /** From now on the service listens. */
  open(url: string): void
}

/** What plugins may do by their client: work with sessions, and nothing that only people decide. */
const capabilities: Identity["limitedTo"] = ["read", "prompt"]

/** An address that leads nowhere. */
const nowhere = "http://docket.invalid"

/**
 * Each project has a pass of its own that lives as long as the service. It stays in the service: plugins send their
 * requests through the process that runs them, so that they reach it without a network.
 */
export function createPluginDoor({ isTeam }: { isTeam: boolean }): PluginDoor {
  const passes = new Map<string, string>()
  const owners = new Map<string, Identity>()
  let url = nowhere
  const passOf = (workspace: string, projectID: string) => {
    const key = `${workspace} ${projectID}`
    const known = passes.get(key)
    if (known !== undefined) return known
    const pass = `dpp_${randomBytes(32).toString("hex")}`
    passes.set(key, pass)
    owners.set(pass, { ...ownerOf(workspace, isTeam), projectID })
    return pass
  }
  return {
    callerIn: (workspace) => ownerOf(workspace, isTeam).caller,
    address: () => `${url}/opencode`,
    open(address) {
      url = address
    },
    around: (auth) => ({
      cookieName: auth.cookieName,
      createLoginCode: () => auth.createLoginCode(),
      redeemLoginCode: (code) => auth.redeemLoginCode(code),
      endLogin: (secret) => auth.endLogin(secret),
      identify: (request) => owners.get(bearerToken(request) ?? "") ?? auth.identify(request),
    }),
    ask: (workspace) => async (request) => {
      const { place, method, path, headers, body, signal } = request
      const target = new URL(`${url}/opencode${path}`)
      // Dots in a path would lead to other routes, that are not made for plugins.
      if (target.origin !== new URL(url).origin || !target.pathname.startsWith("/opencode/")) return outside(path)
      // Whatever a plugin names, it is about the project for which it runs.
      target.searchParams.set("directory", directoryOf(place))
      const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1]
      return fetch(target, {
        method,
        body,
        signal,
        headers: {
          authorization: `Bearer ${passOf(workspace, place.project.id)}`,
          ...(type !== undefined && { "content-type": type }),
        },
      })
    },
  }
}

/** The answer to a request for another address. */
function outside(path: string): Response {
  const message = `${path.slice(0, 200)} is no address for plugins. Ask for what is below serverUrl.`
  return Response.json({ name: "NotFoundError", data: { message } }, { status: 404 })
}

/** A task's worktree is no project of its own. */
function directoryOf({ project, checkout }: Parameters<AskDocket>[0]["place"]): string {
  return project.worktree === checkout ? project.directory : checkout
}

/** Without accounts everything is one person's; with them, plugins see what all members see. */
function ownerOf(workspace: string, isTeam: boolean): Identity {
  const person = isTeam ? tokenPerson("plugins") : localPerson
  const caller = { person, workspace, name: "plugins" }
  return {
    caller,
    name: "plugins",
    role: "member",
    via: "key",
    credentialID: `plugins ${workspace}`,
    limitedTo: capabilities,
  }
}
