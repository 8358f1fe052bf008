"use client"

import type { ListedShare } from "@docket/core"
import { formatDateTime } from "../../ui/format.ts"
import { ByPerson } from "../../ui/person.tsx"

/** When a link was last changed or revoked, and by whom; renders nothing for an unchanged link. */
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
