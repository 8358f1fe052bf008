import { TRPCError } from "@trpc/server"
import { getHTTPStatusCodeFromError } from "@trpc/server/http"
import { expect, it } from "vitest"
import { errorStatus } from "./error-status.ts"

it.each(Object.entries(errorStatus))("%s has the HTTP status of its tRPC code", (_, { trpc, http }) => {
  expect(getHTTPStatusCodeFromError(new TRPCError({ code: trpc }))).toBe(http)
})
