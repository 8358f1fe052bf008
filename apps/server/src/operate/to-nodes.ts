import { hostname } from "node:os"
import { createIdSource, DocketError } from "@docket/core"
import type { Blobs } from "@docket/core/blobs"
import type { Place, Project } from "@docket/core/schema"
import type { Store } from "@docket/core/store"
import type { OpenedDatabase } from "@docket/db"
import { recordedDatabase } from "../database-record.ts"
import { hostID } from "../nodes/host-id.ts"
import type { Outcome, Report } from "./operation.ts"
import { storeContents } from "./stored-contents.ts"
import { requireAddress, toPostgres } from "./to-postgres.ts"
import { withDatabase } from "./with-database.ts"

export interface ToNodes {
  url: string | null
  data: string
  /** The name of the storage that has the directories of the projects; null where only this host has them. */
  storage: string | null
  /** Where nodes keep contents for each other; null where each host keeps its own. */
  blobs?: Blobs | null
}

/**
 * Makes a service of one process ready for nodes: its rows go to PostgreSQL, unless they are there, and its projects and
 * sessions belong to this host or storage. What was done before is found when it is repeated.
 * @throws data_directory_locked, invalid_input, store_unavailable
 */
export async function toNodes({ url, data, storage, blobs = null }: ToNodes, report: Report): Promise<Outcome> {
  const address = requireAddress(url)
  if (recordedDatabase(data) !== "postgres") await toPostgres({ url: address, data }, report)
  return withDatabase({ data, database: address }, async (opened) => {
    const host = hostID(data, () => createIdSource()("host"))
    await opened.nodes.putHost({ id: host, label: hostname() })
    const facts = await settle(opened, storage === null ? `host:${host}` : `storage:${storage}`)
    const contents = blobs === null ? 0 : await storeContents(opened, { data, blobs }, report)
    const stored = blobs === null ? "" : `\n${contents} files of sessions are in ${blobs.address} too, for all nodes.`
    const where = storage === null ? `this host (${hostname()})` : `the storage ${storage}`
    const worker = `docket serve --role worker${storage === null ? "" : ` --storage ${storage}`} --data ${data}`
    const words = `${facts.projects} projects and ${facts.sessions} root sessions belong to ${where} now. Their files stay in ${data}.${stored}\nSet DATABASE_URL and DOCKET_SECRET_KEY, then start here: ${worker}\nand for the pages, here or elsewhere: docket serve --role web`
    return { words, facts: { ...facts, ...(blobs !== null && { contents }) } }
  })
}

/** Gives what has no place this one. Nothing is changed where a worker has already opened one of the directories. */
async function settle(opened: OpenedDatabase, place: Place): Promise<{ projects: number; sessions: number }> {
  const all: { store: Store; project: Project }[] = []
  for (const { id } of await opened.tenants.list()) {
    const store = opened.store(id)
    const projects = await store.project.list()
    const there = new Set(projects.filter((project) => project.place === place).map(({ directory }) => directory))
    for (const project of projects.filter(({ place: own }) => own === undefined)) {
      if (project.repository === undefined && there.has(project.directory))
        throw new DocketError(
          "invalid_input",
          `a worker of this place has already opened ${project.directory} as a project of its own. Delete the sessions that it has there, or restore a backup from before, and try again.`,
        )
      all.push({ store, project })
    }
  }
  for (const { store, project } of all)
    await store.project.put({ ...project, place: project.repository === undefined ? place : "any" })
  // The sessions last: while there are some without a place, the command has not ended.
  return { projects: all.length, sessions: await opened.settle(place) }
}
