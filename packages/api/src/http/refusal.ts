import type { TRPC_ERROR_CODE_KEY } from "@trpc/server/rpc"

/** Why a request is not served. `message` says what to do. */
export interface Refusal {
  status: number
  code: TRPC_ERROR_CODE_KEY
  message: string
}
