import type { SearchHit } from "@docket/core"

/** The page of a search hit; a hit in a transcript opens at its row. */
export function hitHref({ session, part }: Place): string {
  const page = session.id === session.rootID ? `/s/${session.id}` : `/s/${session.rootID}/c/${session.id}`
  return part === null ? page : `${page}?part=${part.id}`
}

interface Place {
  session: Pick<SearchHit["session"], "id" | "rootID">
  part: { id: string } | null
}
