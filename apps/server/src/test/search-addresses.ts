/** tRPC addresses of lists and searches, with this word where they take one. */
export function searchAddresses(word: string): string[] {
  return Object.entries({
    "todo.find": { scope: { kind: "all" }, limit: 10_000 },
    "todo.history": { limit: 10_000 },
    "memory.search": { q: word, all: true, limit: 200 },
    "review.awaiting": {},
    "review.inbox": {},
    "session.list": { search: word },
    "search.find": { text: `${word}*`, limit: 100 },
    "schedule.list": {},
    "schedule.runs": {},
    "permission.list": {},
    "permission.grants": {},
    "question.list": {},
    "project.list": {},
  }).map(([name, input]) => `/api/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`)
}
