import { DocketError } from "@docket/core"
import type { z } from "zod"
import { refuseUnknownKeys } from "../input/unknown-keys.ts"

/** Parses what was sent, as the route's schema has it. @throws DocketError invalid_input, unknown_key */
export function wellFormed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  refuseUnknownKeys(schema, value)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new DocketError("invalid_input", `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`)
}
