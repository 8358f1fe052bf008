import type { Store } from "../ground/store/index.ts"
import { type ContentFiles, contentHash } from "../records/attachment/content-files.ts"
import { type Attachments, createAttachments } from "../records/attachment/create-attachments.ts"

/** Attachments over a store, with contents in memory. */
export function keptInMemory(store: Store): Attachments {
  const contents = new Map<string, Buffer>()
  const files: ContentFiles = {
    async write(hash, bytes) {
      if (contentHash(bytes) === hash) contents.set(hash, bytes)
    },
    read: async (hash) => contents.get(hash) ?? null,
    pathOf: (hash) => hash,
    has: async (hash) => contents.has(hash),
    async remove(hash, isNeeded) {
      if (!(await isNeeded())) contents.delete(hash)
    },
    olderThan: async () => [],
  }
  const marks = { add: async () => {}, remove: async () => {}, list: async () => [], names: async () => false }
  const onError = (error: unknown) => {
    throw error
  }
  return createAttachments({ store, files, marks, clock: Date.now, onError })
}
