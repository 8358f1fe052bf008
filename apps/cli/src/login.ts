import { z } from "zod"
import { callService } from "./call-service.ts"

const Answer = z.object({ loginUrl: z.string() })

/** Asks a running service for a new one-time login link. @throws UsageError when it refuses */
export async function requestLoginUrl(url: string, token: string): Promise<string> {
  return (await callService({ url, token }, { path: "/api/login-code", body: {} }, Answer)).loginUrl
}
