import { DocketError } from "../../ground/error/docket-error.ts"
import type { Caller, PermissionRequest } from "../../ground/schema/index.ts"
import type { PermissionStore } from "../../ground/store/index.ts"

/** Why a request cannot be answered. `late` is who does. */
export async function notWaiting(
  store: Pick<PermissionStore, "get">,
  id: string,
  late: Caller | undefined,
): Promise<DocketError> {
  const stored = await store.get(id)
  if (stored === null) return new DocketError("permission_request_not_found", `There is no permission request ${id}.`)
  return new DocketError("permission_request_answered", answeredWords(stored, late))
}

/** What became of a request, for who comes too late. */
function answeredWords({ status, by }: PermissionRequest, late: Caller | undefined): string {
  const who = by === undefined ? "" : by.person === late?.person ? " by you elsewhere" : ` by ${by.name ?? by.person}`
  const before = `${who} before your answer came. Your answer changed nothing.`
  switch (status) {
    case "once":
      return `This was allowed${before}`
    case "always":
      return `This was allowed for good${before}`
    case "answered":
    case "dismissed":
    case "rejected":
      return `This was ${status}${before}`
    case "expired":
      return "Nobody waits for this answer any more: the work that asked has ended."
    // Another answer may be on its way to the store.
    case "pending":
      return "This was answered before your answer came. Your answer changed nothing."
    default:
      return status satisfies never
  }
}
