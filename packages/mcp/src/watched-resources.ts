import type { PooledServer } from "./server-pool.ts"

/** Resources of a session that are watched, and sessions of which that is known. */
const most = { resources: 20, sessions: 500 } as const

interface Watched {
  entry: PooledServer
  uri: string
  /** How often it had changed when the session read it. */
  seen: number
}

/** Resources that prompts named, by session, and which of them have changed since they were read. */
export interface WatchedResources {
  /** A session's prompt brought the text of a resource. */
  watch(sessionID: string, entry: PooledServer, uri: string): void
  /** A session has read a resource again. */
  read(sessionID: string, entry: PooledServer, uri: string): void
  changedIn(sessionID: string): { server: string; uri: string }[]
}

export function createWatchedResources(): WatchedResources {
  const sessions = new Map<string, Map<string, Watched>>()
  const changesOf = ({ entry, uri }: Pick<Watched, "entry" | "uri">) => entry.resourceChanges.get(uri) ?? 0
  const keyOf = (entry: PooledServer, uri: string) => `${entry.server.name}:${uri}`
  return {
    watch(sessionID, entry, uri) {
      const resources = sessions.get(sessionID) ?? new Map<string, Watched>()
      const [oldest] = sessions.keys()
      if (sessions.size >= most.sessions && oldest !== undefined) sessions.delete(oldest)
      sessions.set(sessionID, resources)
      if (resources.size < most.resources)
        resources.set(keyOf(entry, uri), { entry, uri, seen: changesOf({ entry, uri }) })
    },
    read(sessionID, entry, uri) {
      const watched = sessions.get(sessionID)?.get(keyOf(entry, uri))
      if (watched !== undefined) watched.seen = changesOf(watched)
    },
    changedIn: (sessionID) =>
      [...(sessions.get(sessionID)?.values() ?? [])]
        .filter((watched) => changesOf(watched) !== watched.seen)
        .map(({ entry, uri }) => ({ server: entry.server.name, uri })),
  }
}

/** What a model is told of them. */
export function changedText(changed: readonly { server: string; uri: string }[]): string {
  const lines = changed.map(({ server, uri }) => `- ${uri} of the MCP server "${server}"`)
  return [
    "<changed-resources>",
    "These resources have changed since this session read them. Read them again with read_mcp_resource where they matter:",
    ...lines,
    "</changed-resources>",
  ].join("\n")
}
