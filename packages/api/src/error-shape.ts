import { type DocketErrorCode, isDocketError } from "@docket/core"
import type { TRPCError } from "@trpc/server"
import { type TRPC_ERROR_CODE_KEY, type TRPC_ERROR_CODE_NUMBER, TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc"
import { z } from "zod"
import { errorStatus } from "./error-status.ts"
import { bodyTooLarge } from "./http/body-limit.ts"
import { unexpectedWords } from "./unexpected-words.ts"

export interface ApiErrorShape {
  code: TRPC_ERROR_CODE_NUMBER
  message: string
  data: { code: TRPC_ERROR_CODE_KEY; httpStatus: number; docketCode: DocketErrorCode | null; path: string | null }
}

interface DefaultShape {
  code: TRPC_ERROR_CODE_NUMBER
  message: string
  data: { code: TRPC_ERROR_CODE_KEY; httpStatus: number; path?: string }
}

/** The wire form of a failed call. An expected failure has its own code; a bug shows no internals. */
export function errorShape(shape: DefaultShape, error: TRPCError): ApiErrorShape {
  const path = shape.data.path ?? null
  const { cause } = error
  if (isDocketError(cause)) {
    const { trpc, http } = errorStatus[cause.code]
    return {
      code: TRPC_ERROR_CODES_BY_KEY[trpc],
      message: cause.message,
      data: { code: trpc, httpStatus: http, docketCode: cause.code, path },
    }
  }
  const { code, httpStatus } = shape.data
  if (code === "BAD_REQUEST" && cause instanceof z.core.$ZodError) {
    const message = `the input is not valid: ${z.prettifyError(cause)}`
    return { code: shape.code, message, data: { code, httpStatus, docketCode: "invalid_input", path } }
  }
  const message = code === "INTERNAL_SERVER_ERROR" ? unexpectedWords(cause) : (plainMessage[code] ?? shape.message)
  return { code: shape.code, message, data: { code, httpStatus, docketCode: null, path } }
}

const plainMessage: Partial<Record<TRPC_ERROR_CODE_KEY, string>> = {
  PAYLOAD_TOO_LARGE: bodyTooLarge.message,
}
