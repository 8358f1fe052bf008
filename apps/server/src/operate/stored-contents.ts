import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import path from "node:path"
import { isDocketError } from "@docket/core"
import { type Blobs, blobPath, createFileBlobs, DamagedBlob, storeContent } from "@docket/core/blobs"
import { Content } from "@docket/core/schema"
import type { Store } from "@docket/core/store"
import type { OpenedDatabase, TableSource } from "@docket/db"
import { directoryOfWorkspace, firstID } from "../workspaces/workspace-place.ts"
import type { DataFile } from "./data-files.ts"
import type { Report } from "./operation.ts"

/** A content as rows name it, and whose it is. */
interface OwnedContent {
  tenant: string
  row: Content
}

/**
 * Where a process that is alone has a content, relative to the data directory; null for snapshots, which only help hosts that
 * take over each other's work.
 */
function fileOfContent({ tenant, row }: OwnedContent): string | null {
  const place = tenant === firstID ? "" : `workspaces/${tenant}/`
  const { kind, name, sessionID, hash } = row
  if (kind === "snapshot" || name !== path.posix.basename(name)) return null
  if (kind === "attachment") return `${place}attachments/${hash.slice(0, 2)}/${hash}`
  return kind === "plan" ? `${place}plans/${name}` : `${place}tool-output/${sessionID}/${name}`
}

/**
 * The contents that rows name, that the store has, and that are no files of this data directory: a backup has them as files of
 * the process that it is restored for. What is missing in the store is left out by name.
 */
export async function contentsOfOthers(
  source: TableSource,
  { data, blobs, temporary }: { data: string; blobs: Blobs; temporary: string },
): Promise<{ files: DataFile[]; leftOut: Record<string, string> }> {
  const files = new Map<string, DataFile>()
  const leftOut: Record<string, string> = {}
  for await (const owned of contentsIn(source)) {
    const place = owned.row.isStored ? fileOfContent(owned) : null
    if (place === null || files.has(place) || existsSync(path.join(data, place))) continue
    const key = { tenant: owned.tenant, hash: owned.row.hash }
    const facts = await blobs.head(key)
    if (facts === null) leftOut[place] = `it is missing in ${blobs.address}`
    else files.set(place, { path: place, size: facts.size, mode: 0o600, fetch: () => fetched(blobs, key, temporary) })
  }
  return { files: [...files.values()], leftOut }
}

/** A copy on the disk, to be removed; null when the content is damaged or gone. */
async function fetched(
  blobs: Blobs,
  key: { tenant: string; hash: string },
  temporary: string,
): Promise<{ file: string; remove(): Promise<void> } | null> {
  const root = `${temporary}.${randomUUID()}`
  const remove = () => rm(root, { recursive: true, force: true })
  try {
    const pieces = await blobs.get(key)
    if (pieces !== null) {
      await createFileBlobs(root).put(key, { pieces })
      return { file: path.join(root, blobPath(key)), remove }
    }
  } catch (error) {
    await remove()
    if (!(error instanceof DamagedBlob)) throw error
  }
  return null
}

async function* contentsIn(source: TableSource): AsyncGenerator<OwnedContent> {
  const table = source.tables.find(({ name }) => name === "Content")
  if (table === undefined) return
  const at = (name: string) => table.columns.findIndex((column) => column.name === name)
  const [tenantAt, dataAt] = [at("tenantID"), at("data")]
  for await (const rows of source.rows(table)) {
    for (const cells of rows) {
      const read = Content.safeParse(JSON.parse(String(cells[dataAt])))
      if (read.success) yield { tenant: String(cells[tenantAt]), row: read.data }
    }
  }
}

/** A file that a session has on this host. */
interface HostFile extends Pick<Content, "kind" | "name" | "sessionID" | "rootID"> {
  file: string
}

/** How many contents are stored between two reports. */
const reportEvery = 500

/**
 * Puts what the sessions of a data directory have as files into the store, for all nodes. What is there already is not sent
 * again, so it may be repeated after a break. @returns how many contents rows name now
 */
export async function storeContents(
  opened: Pick<OpenedDatabase, "tenants" | "store">,
  { data, blobs }: { data: string; blobs: Blobs },
  report: Report,
): Promise<number> {
  let count = 0
  for (const { id: tenant } of await opened.tenants.list()) {
    const store = opened.store(tenant)
    for await (const found of hostFiles(store, directoryOfWorkspace(data, tenant))) {
      try {
        await storeContent({ blobs, tenant, store: store.content, clock: Date.now }, found)
      } catch (error) {
        // Removed meanwhile, or by a person before.
        if (isDocketError(error) && error.code === "session_not_found") continue
        throw error
      }
      count += 1
      if (count % reportEvery === 0) report(`${count} contents are in ${blobs.address}`)
    }
  }
  return count
}

async function* hostFiles(store: Store, directory: string): AsyncGenerator<HostFile> {
  for (const { sessionID, rootID, hash } of await store.attachment.list()) {
    const file = path.join(directory, "attachments", hash.slice(0, 2), hash)
    if (existsSync(file)) yield { kind: "attachment", name: hash, sessionID, rootID, file }
  }
  const outputs = path.join(directory, "tool-output")
  for (const sessionID of await readdir(outputs).catch(() => [])) {
    const session = await store.session.get(sessionID).catch(() => null)
    if (session === null) continue
    for (const name of await readdir(path.join(outputs, sessionID)).catch(() => [])) {
      const kind = name.startsWith("tool_") ? "output" : "answer"
      yield { kind, name, sessionID, rootID: session.rootID, file: path.join(outputs, sessionID, name) }
    }
  }
}
