import type { Session, TextPart } from "../schema/index.ts"
import type { FoundText, SearchStore } from "../store/index.ts"
import { type Excerpt, excerptOf } from "./excerpt.ts"

/** What a search finds: a session by its title, or a prompt or answer in it. */
export interface SearchHit {
  session: Pick<Session, "id" | "rootID" | "parentID" | "projectID" | "title" | "agent" | "time">
  /** Null when the title was found; `role` tells whether a person or a model wrote it. */
  part: { id: TextPart["id"]; role: FoundText["role"]; excerpt: Excerpt } | null
}

/** Words of a query that count; more would only cost time. */
const maxWords = 8
/**
 * Parts that are looked at between two breaths for everybody else: few at first, since what is looked for is mostly
 * near. The most take 20 ms of a core (100,000 parts, of which a fifth are texts of 700 characters).
 */
const walks = { first: 500, most: 8_000 }

/** Sessions and texts that hold all words of `text`: titles first, then what was written last. At most `limit` of each. */
export async function searchSessions(
  store: SearchStore,
  { text, limit }: { text: string; limit: number },
): Promise<SearchHit[]> {
  const words = [...new Set(text.split(/\s+/).filter((word) => word !== ""))].slice(0, maxWords)
  if (words.length === 0) return []
  const titles = await store.titles({ words, limit })
  const texts = await newestTexts(store, words, limit)
  return [
    ...titles.map((session): SearchHit => ({ session: shown(session), part: null })),
    ...texts.map(({ session, role, part }): SearchHit => {
      return { session: shown(session), part: { id: part.id, role, excerpt: excerptOf(part.text, words) } }
    }),
  ]
}

function shown({ id, rootID, parentID, projectID, title, agent, time }: Session): SearchHit["session"] {
  return { id, rootID, parentID, projectID, title, agent, time }
}

async function newestTexts(store: SearchStore, words: readonly string[], limit: number): Promise<FoundText[]> {
  const texts: FoundText[] = []
  let before: string | undefined
  let walk = walks.first
  do {
    const { found, next } = await store.texts({ words, limit: limit - texts.length, walk, before })
    texts.push(...found)
    walk = Math.min(walk * 2, walks.most)
    before = next ?? undefined
    // A database in the process answers within the call.
    await new Promise((resolve) => setImmediate(resolve))
  } while (before !== undefined && texts.length < limit)
  return texts
}
