import type { Refusal } from "./refusal.ts"

/** Size limit of a request body: more than the largest prompt (1 MB of text) with its escapes and files. */
export const maxBodyBytes = 4 * 1024 * 1024

/** The refusal of a file that is too large for `/api/import`. */
export const fileTooLarge: Refusal = {
  status: 413,
  code: "PAYLOAD_TOO_LARGE",
  message: "the file is larger than 64 MiB, the most that can be imported",
}

export const bodyTooLarge: Refusal = {
  status: 413,
  code: "PAYLOAD_TOO_LARGE",
  message: "the request body is larger than 4 MiB",
}
