import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { errorCode } from "../error/error-code.ts"
import { keyedID } from "../id/keyed-id.ts"
import { Content } from "../schema/index.ts"
import type { ContentStore } from "../store/index.ts"
import type { Blobs } from "./blobs.ts"

export interface StoreContentDeps {
  blobs: Blobs
  tenant: string
  store: ContentStore
  /** Epoch ms. */
  clock: () => number
}

interface NamedFile extends Pick<Content, "kind" | "name" | "sessionID" | "rootID"> {
  /** Absolute. */
  file: string
}

/** The row of a file, as one that only this host has. A file that is not here is as another session has it. */
export async function rowOfFile(
  { store, clock }: Pick<StoreContentDeps, "store" | "clock">,
  { file, ...named }: NamedFile,
): Promise<Content> {
  const facts = await factsOf(file, () => store.anywhere(named.kind, named.name))
  const id = keyedID("content", `${named.sessionID}\n${named.kind}\n${named.name}`)
  return Content.parse({ id, ...named, ...facts, isStored: false, time: { created: clock() } })
}

/** Stores a content by its row, which names it first, so that nobody removes it from the store meanwhile. */
export async function storeByRow(
  { blobs, tenant, store }: Omit<StoreContentDeps, "clock">,
  { row, file, signal }: { row: Content; file: string; signal?: AbortSignal },
): Promise<void> {
  await store.put([row])
  const key = { tenant, hash: row.hash }
  if ((await blobs.head(key, signal))?.size !== row.size) await blobs.put(key, { file }, signal)
  await store.stored(row)
}

/** Stores a file of a session, unless the store has it. @throws session_not_found, blobs_unavailable */
export async function storeContent(deps: StoreContentDeps, named: NamedFile): Promise<void> {
  await storeByRow(deps, { row: await rowOfFile(deps, named), file: named.file })
}

async function factsOf(file: string, ofOthers: () => Promise<Content | null>): Promise<Pick<Content, "hash" | "size">> {
  try {
    const digest = createHash("sha256")
    for await (const piece of createReadStream(file)) digest.update(piece)
    return { hash: digest.digest("hex"), size: (await stat(file)).size }
  } catch (error) {
    const other = errorCode(error) === "ENOENT" ? await ofOthers() : null
    if (other === null) throw error
    return { hash: other.hash, size: other.size }
  }
}
