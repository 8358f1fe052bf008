import type { Draft } from "./drafts.tsx"
import type { Mention } from "./mention.ts"

export const draftsKey = "docket-drafts-1"
/** Longer ones (UTF-16 units) last as long as the page: they would not fit beside the others. */
const longest = 200_000

type CachedDraft = Pick<Draft, "text" | "picked">

export interface CachedDrafts {
  read(key: string): CachedDraft | null
  /** Null when nothing is left to keep. */
  write(key: string, draft: CachedDraft | null): void
}

/** Keeps words that were not sent yet in a tab's storage, so that a reload finds them. What does not parse is forgotten. */
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
        // A full or forbidden storage: the words last as long as the page.
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
  // Its fields are looked at one by one below.
  const draft = entry[1] as Partial<CachedDraft> | null
  return typeof draft?.text === "string" && Array.isArray(draft.picked) && draft.picked.every(isMention)
}

function isMention(value: unknown): value is Mention {
  // Its fields are looked at one by one below.
  const mention = value as Partial<Mention> | null
  return (mention?.kind === "agent" || mention?.kind === "file") && typeof mention.value === "string"
}
