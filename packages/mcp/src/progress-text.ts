import { plain } from "./plain-text.ts"
import type { CallOptions } from "./server-connection.ts"

/** Characters of what a server says of its progress. */
const longest = 200

/** How far a call is, as its card says it: with nothing that people do not see, as it stands beside Docket's own words. */
export function progressText({ progress, total, message }: Parameters<CallOptions["onProgress"]>[0]): string {
  const share = progress === undefined ? "" : total === undefined ? `${progress}` : `${progress} of ${total}`
  const words = plain(message ?? "").slice(0, longest)
  if (words === "" || share === "") return words || share
  return `${words} (${share})`
}
