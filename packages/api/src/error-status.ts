import type { DocketErrorCode } from "@docket/core"
import type { TRPC_ERROR_CODE_KEY } from "@trpc/server/rpc"

/** Every expected failure with its tRPC code and HTTP status. The record is exhaustive by type. */
export const errorStatus: Record<DocketErrorCode, { trpc: TRPC_ERROR_CODE_KEY; http: number }> = {
  session_not_found: { trpc: "NOT_FOUND", http: 404 },
  project_not_found: { trpc: "NOT_FOUND", http: 404 },
  project_directory_missing: { trpc: "PRECONDITION_FAILED", http: 412 },
  message_not_found: { trpc: "NOT_FOUND", http: 404 },
  permission_request_not_found: { trpc: "NOT_FOUND", http: 404 },
  permission_request_answered: { trpc: "CONFLICT", http: 409 },
  turn_not_found: { trpc: "NOT_FOUND", http: 404 },
  share_not_found: { trpc: "NOT_FOUND", http: 404 },
  agent_not_found: { trpc: "NOT_FOUND", http: 404 },
  model_not_found: { trpc: "NOT_FOUND", http: 404 },
  provider_not_found: { trpc: "NOT_FOUND", http: 404 },
  no_model_available: { trpc: "PRECONDITION_FAILED", http: 412 },
  config_invalid: { trpc: "UNPROCESSABLE_CONTENT", http: 422 },
  invalid_input: { trpc: "BAD_REQUEST", http: 400 },
  prompt_too_large: { trpc: "PAYLOAD_TOO_LARGE", http: 413 },
  depth_limit: { trpc: "UNPROCESSABLE_CONTENT", http: 422 },
  tree_aborted: { trpc: "CONFLICT", http: 409 },
  stale_turn: { trpc: "CONFLICT", http: 409 },
  unknown_tree: { trpc: "NOT_FOUND", http: 404 },
  data_directory_locked: { trpc: "CONFLICT", http: 409 },
  port_in_use: { trpc: "CONFLICT", http: 409 },
  unsafe_bind: { trpc: "FORBIDDEN", http: 403 },
  store_unavailable: { trpc: "SERVICE_UNAVAILABLE", http: 503 },
}
