import type { Draft } from "./drafts.tsx"
import type { Mention } from "./mention.ts"

/** The key of all drafts in the tab's storage; the number is the version of their format. */
export const draftsKey = "docket-drafts-1"
/** Longer drafts (UTF-16 units) are lost with the page: they would not leave storage for the others. */
const longest = 200_000

type CachedDraft = Pick<Draft, "text" | "picked">

export interface CachedDrafts {
  read(key: string): CachedDraft | null
  /** Null removes the draft. */
  write(key: string, draft: CachedDraft | null): void
}

/**
 * Caches unsent prompts in the tab's storage, so that they survive a reload. Entries that cannot be parsed are dropped.
 */
export function createCachedDrafts(storage: Pick<Storage, "getItem" | "setItem">): CachedDrafts {
  const drafts = new Map(parse(storage.getItem(draftsKey)))
  return {
    read: (key) => drafts.get(key) ?? null,
    write(key, draft) {
      const isKept = draft !== null && draft.text !== "" && draft.text.length <= longest
      if (!isKept && !drafts.delete(key)) return
      if (isKept) drafts.set(key, { text: draft.text, picked: draft.picked })
      try {
        storage.setItem(draftsKey, JSON.stringify([...drafts]))
      } catch {
        // The storage is full or forbidden: the drafts are lost with the page.
      }
    },
  }
}

function parse(text: string | null): [string, CachedDraft][] {
  try {
    const drafts: unknown = JSON.parse(text ?? "[]")
    return Array.isArray(drafts) ? drafts.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is [string, CachedDraft] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false
  // The fields are checked one by one below.
  const draft = entry[1] as Partial<CachedDraft> | null
  return typeof draft?.text === "string" && Array.isArray(draft.picked) && draft.picked.every(isMention)
}

function isMention(value: unknown): value is Mention {
  // The fields are checked one by one below.
  const mention = value as Partial<Mention> | null
  return (mention?.kind === "agent" || mention?.kind === "file") && typeof mention.value === "string"
}
