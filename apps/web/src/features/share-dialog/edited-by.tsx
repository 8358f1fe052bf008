"use client"

import type { ListedShare } from "@docket/core"
import { formatDateTime } from "../../ui/format.ts"
import { ByPerson } from "../../ui/person.tsx"

/** When a link was changed last, or revoked, and by whom; nothing for one that is as it was made. */
export function EditedBy({ share: { edited, time } }: { share: Pick<ListedShare, "edited" | "time"> }) {
  const at = time.revoked ?? edited?.at
  if (at === undefined) return null
  return (
    <>
      {" "}
      · {time.revoked === null ? "changed" : "revoked"} {formatDateTime(at)} <ByPerson by={edited?.by} />
    </>
  )
}
