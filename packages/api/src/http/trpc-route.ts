import type { IncomingMessage, ServerResponse } from "node:http"
import { isDocketError, type Runtime } from "@docket/core"
import type { Caller } from "@docket/core/schema"
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http"
import type { Auth } from "../auth/auth.ts"
import { isSignedIn } from "../auth/credentials.ts"
import { appRouter } from "../router.ts"
import { maxBodyBytes } from "./body-limit.ts"
import { keyOf } from "./key-of.ts"
import { originOf } from "./origin-of.ts"
import { notSignedIn, sendRefusal } from "./respond.ts"
import { sendWhole } from "./send-whole.ts"

interface TrpcDeps {
  runtime: Runtime
  /** Who is signed in. */
  user: Caller
  auth: Auth
  log(text: string, error: unknown): void
}

export const trpcPath = "/api/trpc/"

/** Serves the procedure that the path names, or several with commas between them, to who is signed in. */
export async function serveTrpc(
  { runtime, user, auth, log }: TrpcDeps,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (!isSignedIn(req, auth)) return sendRefusal(res, notSignedIn)
  sendWhole(res)
  await nodeHTTPRequestHandler({
    router: appRouter,
    req,
    res,
    path: req.url?.split("?")[0]?.slice(trpcPath.length) ?? "",
    maxBodySize: maxBodyBytes,
    createContext: async () => ({ caller: user, runtime: runtime.as(user, keyOf(req)), origin: originOf(req) }),
    onError: ({ error, path: procedure }) => {
      if (isBug(error) && !isHangUp(error, res)) log(`${procedure ?? "request"} failed`, error.cause ?? error)
    },
  })
}

function isBug(error: { code: string; cause?: unknown }): boolean {
  return error.code === "INTERNAL_SERVER_ERROR" && !isDocketError(error.cause)
}

/** Who waits for a turn is gone, so that waiting ended with the call: nothing failed. */
function isHangUp({ cause }: { cause?: unknown }, res: ServerResponse): boolean {
  return res.destroyed && cause instanceof DOMException && cause.name === "AbortError"
}
