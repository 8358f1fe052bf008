import type { SearchHit } from "@docket/core"

/** The page of what was found; a prompt or answer opens at its row. */
export function hitHref({ session, part }: Pick<SearchHit, "session" | "part">): string {
  const page = session.id === session.rootID ? `/s/${session.id}` : `/s/${session.rootID}/c/${session.id}`
  return part === null ? page : `${page}?part=${part.id}`
}
