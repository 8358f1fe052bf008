import type { ExtensionPlace } from "@docket/core/extension-host"
import type { FoundPackages } from "@docket/core/installed-packages"
import type { ExtensionItem } from "@docket/core/schema"
import { cacheKeyOf, isWanted, mayRun, personFor, placedServers, refOf } from "./configured-servers.ts"
import type { PlacedServer } from "./placed-server.ts"
import { isFree } from "./server-launch.ts"
import type { PooledServer, ServerPool } from "./server-pool.ts"
import type { ServerTool } from "./server-tool.ts"
import type { ToolCache } from "./tool-cache.ts"
import { createToolNames } from "./tool-names.ts"

/** The servers of a project as people see them, those too that wait for trust or consent. */
export async function listServers(
  {
    pool,
    cache,
    packages,
  }: { pool: Pick<ServerPool, "find">; cache: Pick<ToolCache, "read">; packages: FoundPackages },
  place: ExtensionPlace,
  person: string,
): Promise<ExtensionItem[]> {
  const files = place.provided.filter(({ kind, trusted }) => kind === "mcp-server" && !trusted)
  const waiting = [
    ...place.heldServers.map((server) => waitingItem(place, server)),
    ...files.map(({ name, file, notes = [] }) => waitingItem(place, { name, file, line: null, notes })),
  ]
  const unconfined = await place.unconfined()
  const items = (await placedServers(packages, place)).map(async (server) => {
    const entry = pool.find(place, server, personFor(place, server, person))
    const isOn = server.config.enabled !== false && (await mayRun(place, server))
    // Nobody has decided.
    const waits = !isOn && server.needsConsent === true && (await place.ledger.isOn(refOf(place, server)))
    const kept = await cache.read(cacheKeyOf(place, server, personFor(place, server, person)))
    // It may have answered meanwhile.
    const tools = (entry?.known ?? kept)?.tools ?? []
    return itemOf(server, { place, entry, isOn, waits, tools, may: rightsOf(server, place, unconfined) })
  })
  return [...(await Promise.all(items)), ...waiting]
}

function itemOf(
  server: PlacedServer,
  {
    place,
    entry,
    isOn,
    waits,
    tools,
    may,
  }: {
    place: ExtensionPlace
    entry: PooledServer | undefined
    isOn: boolean
    waits: boolean
    tools: ServerTool[]
    may: string[]
  },
): ExtensionItem {
  const nameOf = createToolNames()
  return {
    ref: refOf(place, server),
    title: server.name,
    origin: { file: server.file, line: server.line },
    state: isOn ? (server.waits ? "waits" : stateOf(entry)) : waits ? "waits" : "off",
    may,
    tools: tools
      .filter(({ name }) => isWanted(server, name))
      .map(({ name, description }) => ({ id: nameOf(server.name, name).id, description })),
    error: (isOn ? server.waits?.why : undefined) ?? entry?.failure ?? null,
    ...(isOn && server.waits?.installs && { installs: server.waits.installs }),
    log: entry?.log.lines() ?? [],
  }
}

function stateOf(entry: PooledServer | undefined): ExtensionItem["state"] {
  if (entry === undefined) return "idle"
  if (entry.needsSignIn) return "needs-login"
  if (entry.isReady) return "ready"
  if (entry.running !== null) return "starting"
  return entry.failure === null ? "idle" : "failed"
}

/** Without what is filled in: whoever may read settings sees it. */
function rightsOf(server: PlacedServer, place: ExtensionPlace, unconfined: string | null): string[] {
  const { config, scope } = server
  if (config.type === "remote") {
    const where = URL.canParse(config.url) ? new URL(config.url).host : "an address that is not filled in"
    return [`It is asked at ${where} and gets what agents send it.`]
  }
  const { command, network = "open", writable = [] } = config
  const runs = `It runs the program ${command[0]}`
  if (isFree(server, place)) return [`${runs} with your rights, as its entry says.`]
  if (unconfined !== null) return [`${runs} with the rights of Docket: there is no sandbox for it. ${unconfined}`]
  const changes = scope === "user" && !place.isShared ? writable : []
  const files = changes.length === 0 ? "it only reads the project" : `it changes ${changes.join(", ")}`
  const reach = network === "open" && place.isShared ? "project" : network
  return [`${runs} in the sandbox, where ${files} and ${reaches[reach]}.`]
}

const reaches = {
  open: "reaches the network, this machine too",
  project: "reaches the hosts that commands may reach",
  none: "reaches no network",
}

function waitingItem(
  { project }: ExtensionPlace,
  { name, file, line, notes }: { name: string; file: string; line: number | null; notes: readonly string[] },
): ExtensionItem {
  return {
    ref: { kind: "mcp", name, projectID: project.id },
    title: name,
    origin: { file, line },
    state: "waits",
    may: [...notes],
    tools: [],
    error: null,
    log: [],
  }
}
