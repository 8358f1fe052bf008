import type { FoundText, SearchStore } from "../port.ts"
import { holdsWords, isSearched } from "../search-words.ts"
import type { Tables } from "./tables.ts"

export function inMemorySearch(tables: Tables): SearchStore {
  const session = (id: string) => tables.sessions.get(id)?.value
  return {
    async titles({ words, limit }) {
      return [...tables.sessions.values()]
        .map(({ value }) => value)
        .filter(({ time, rootID }) => time.archived === null && session(rootID)?.time.archived === null)
        .filter(({ title }) => holdsWords(title, words))
        .sort((a, b) => b.time.updated - a.time.updated || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
    },
    async texts({ words, limit, walk, before }) {
      const older = [...tables.parts.values()]
        .filter(({ id }) => before === undefined || id < before)
        .sort((a, b) => (a.id > b.id ? -1 : 1))
      const walked = older.slice(0, walk)
      const found: FoundText[] = []
      for (const part of walked) {
        const own = session(part.sessionID)
        const root = own && session(own.rootID)
        const role = tables.messages.get(part.messageID)?.role
        if (!own || !root || !role || !isSearched(part, own, root) || !holdsWords(part.text, words)) continue
        found.push({ session: own, role, part })
        if (found.length === limit) return { found, next: part.id }
      }
      return { found, next: older.length > walk ? (walked.at(-1)?.id ?? null) : null }
    },
  }
}
