import { DocketError } from "@docket/core"
import { nodeGoneAfterMs } from "@docket/core/schema"
import { claimPostgresDatabase, type OpenedDatabase, openPostgresDatabase } from "@docket/db"
import { hasSealed } from "../../secrets/open-seal.ts"
import { type DatabasePlace, withDatabase } from "../with-database.ts"

/**
 * Works on a database with sealed secrets while nothing else does.
 * @throws store_unavailable while a service or nodes use it, which it names; invalid_input when nothing is sealed there
 */
export function withSecrets<T>(place: DatabasePlace, work: (database: OpenedDatabase) => Promise<T>): Promise<T> {
  const workIfSealed = async (opened: OpenedDatabase) => {
    if (await hasSealed(opened.secrets)) return work(opened)
    throw new DocketError(
      "invalid_input",
      "This database has no sealed secrets. The first key that a node starts with becomes its key.",
    )
  }
  return withDatabase(place, workIfSealed, claimAlone)
}

async function claimAlone(url: string) {
  try {
    return await claimPostgresDatabase(url, { as: "command" })
  } catch (error) {
    const nodes = await liveNodes(url).catch(() => [])
    if (nodes.length === 0) throw error
    const message = `These nodes use the database: ${nodes.join(", ")}. Stop all of them, and try again.`
    throw new DocketError("store_unavailable", message, { cause: error })
  }
}

/** The nodes that gave a sign lately, in words. */
async function liveNodes(url: string): Promise<string[]> {
  const database = await openPostgresDatabase({ url })
  try {
    const { now, nodes } = await database.nodes.list()
    const hosts = new Map((await database.nodes.hosts()).map(({ id, label }) => [id, label]))
    const live = nodes.filter(({ time }) => now - time.seen < nodeGoneAfterMs)
    return live.map(({ id, role, hostID }) => `${id} (${role} on ${hosts.get(hostID) || hostID})`)
  } finally {
    await database.close()
  }
}
