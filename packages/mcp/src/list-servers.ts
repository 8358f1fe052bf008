import type { ExtensionPlace, JudgedFile } from "@docket/core/extension-host"
import type { ExtensionItem, McpServer } from "@docket/core/schema"
import { cacheKeyOf, isWanted, mayRun, personFor, refOf, serversIn } from "./configured-servers.ts"
import type { PooledServer, ServerPool } from "./server-pool.ts"
import type { ServerTool } from "./server-tool.ts"
import type { ToolCache } from "./tool-cache.ts"
import { createToolNames } from "./tool-names.ts"

/** The servers of a project as people see them, those too that wait for trust or consent. */
export async function listServers(
  { pool, cache }: { pool: Pick<ServerPool, "find">; cache: Pick<ToolCache, "read"> },
  place: ExtensionPlace,
  person: string,
): Promise<ExtensionItem[]> {
  const waiting = place.provided.filter(({ kind, trusted }) => kind === "mcp-server" && !trusted)
  const items = serversIn(place).map(async (server) => {
    const entry = pool.find(place, server, personFor(place, server, person))
    const isOn = server.config.enabled !== false && (await mayRun(place, server))
    // Nobody has decided.
    const waits = !isOn && server.needsConsent === true && (await place.ledger.isOn(refOf(place, server)))
    const kept = await cache.read(cacheKeyOf(place, server, personFor(place, server, person)))
    // It may have answered meanwhile.
    const tools = (entry?.known ?? kept)?.tools ?? []
    return itemOf(server, { place, entry, isOn, waits, tools })
  })
  return [...(await Promise.all(items)), ...waiting.map((file) => waitingItem(place, file))]
}

function itemOf(
  server: McpServer,
  {
    place,
    entry,
    isOn,
    waits,
    tools,
  }: { place: ExtensionPlace; entry: PooledServer | undefined; isOn: boolean; waits: boolean; tools: ServerTool[] },
): ExtensionItem {
  const nameOf = createToolNames()
  return {
    ref: refOf(place, server),
    title: server.name,
    origin: { file: server.file, line: server.line },
    state: isOn ? stateOf(entry) : waits ? "waits" : "off",
    may: rightsOf(server),
    tools: tools
      .filter(({ name }) => isWanted(server, name))
      .map(({ name, description }) => ({ id: nameOf(server.name, name).id, description })),
    error: entry?.failure ?? null,
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
function rightsOf({ config, scope }: McpServer): string[] {
  if (config.type === "remote") {
    const where = URL.canParse(config.url) ? new URL(config.url).host : "an address that is not filled in"
    return [`It is asked at ${where} and gets what agents send it.`]
  }
  const { command, network = "open" } = config
  const runs = `It runs the program ${command[0]}`
  if (scope === "user") return [`${runs} with your rights, outside the sandbox.`]
  return [`${runs} in the sandbox, where it only reads the project and ${reaches[network]}.`]
}

const reaches = {
  open: "reaches the network, this machine too",
  project: "reaches the hosts that commands may reach",
  none: "reaches no network",
}

function waitingItem({ project }: ExtensionPlace, { name, file, notes = [] }: JudgedFile): ExtensionItem {
  return {
    ref: { kind: "mcp", name, projectID: project.id },
    title: name,
    origin: { file, line: null },
    state: "waits",
    may: [...notes],
    tools: [],
    error: null,
    log: [],
  }
}
