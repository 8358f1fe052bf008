import { createHash } from "node:crypto"
import type { ExtensionPlace } from "@docket/core/extension-host"
import type { FoundPackages } from "@docket/core/installed-packages"
import { matchWildcard } from "@docket/core/rule"
import type { ExtensionRef, McpServer } from "@docket/core/schema"
import type { SignInServer } from "./oauth/sign-ins.ts"
import { type PlacedServer, placeServer } from "./placed-server.ts"
import { serversIn } from "./servers-in.ts"

/** The same, with the packages that they run. */
export function placedServers(packages: FoundPackages, place: ExtensionPlace): Promise<PlacedServer[]> {
  return Promise.all(serversIn(place).map((server) => placeServer(packages, server)))
}

/** Those that people let run, and that can. */
export async function runningServers(packages: FoundPackages, place: ExtensionPlace): Promise<PlacedServer[]> {
  const placed = await placedServers(packages, place)
  const servers = placed.filter(({ config, waits }) => config.enabled !== false && waits === undefined)
  const areOn = await Promise.all(servers.map((server) => mayRun(place, server)))
  return servers.filter((_, at) => areOn[at])
}

/** Whether people let it run: one of another program is off until somebody switches it on. */
export function mayRun(place: ExtensionPlace, server: McpServer): Promise<boolean> {
  return place.ledger.isOn(refOf(place, server), { unset: server.needsConsent ? "off" : "on" })
}

export function refOf({ project }: ExtensionPlace, { name, scope }: Pick<McpServer, "name" | "scope">): ExtensionRef {
  return { kind: "mcp", name, projectID: scope === "user" ? null : project.id }
}

/** Whether its configuration gives agents a tool, by the server's own name of it. */
export function isWanted({ config }: McpServer, tool: string): boolean {
  const { enabled_tools: enabled, disabled_tools: disabled = [] } = config
  const isIn = (patterns: readonly string[]) => patterns.some((pattern) => matchWildcard(pattern, tool))
  return (enabled === undefined || isIn(enabled)) && !isIn(disabled)
}

/** Of what decides what a server is and may do (SHA-256, hex); which of its tools are wanted is left out. */
export function digestOf({ name, scope, config }: McpServer): string {
  const { enabled_tools: _e, disabled_tools: _d, permission: _p, required: _r, ...rest } = config
  return createHash("sha256")
    .update(JSON.stringify([name, scope, rest]))
    .digest("hex")
}

/** Null for one that runs on this machine. */
export function remoteOf(server: McpServer): SignInServer | null {
  return server.config.type === "remote" ? { ...server, config: server.config } : null
}

/** Whether each person signs in by themselves: in a team, unless the configuration lets all share one sign-in. */
export function isPersonal({ isShared }: ExtensionPlace, { config }: McpServer): boolean {
  return isShared && config.type === "remote" && config.oauth !== false && config.oauth?.shared !== true
}

/** Whose sign-in counts; null for one that all share, or none. */
export function personFor(place: ExtensionPlace, server: McpServer, person: string | null): string | null {
  return isPersonal(place, server) ? person : null
}

/** Names the kept list of a server: what one project's or person's said of its tools is not told to another. */
export function cacheKeyOf(place: ExtensionPlace, server: McpServer, person: string | null): string {
  const projectID = server.scope === "user" ? null : place.project.id
  return createHash("sha256")
    .update(JSON.stringify([digestOf(server), projectID, person]))
    .digest("hex")
}
