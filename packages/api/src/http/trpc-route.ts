import type { IncomingMessage, ServerResponse } from "node:http"
import { isDocketError } from "@docket/core"
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http"
import type { Audit } from "../audit/audit.ts"
import type { Auth } from "../auth/auth.ts"
import { appRouter } from "../router.ts"
import type { TeamService } from "../team/team-service.ts"
import { useCasesOf, type Workspaces } from "../workspaces.ts"
import { maxBodyBytes } from "./body-limit.ts"
import type { Front } from "./front.ts"
import { keyOf } from "./key-of.ts"
import { notSignedIn, sendRefusal } from "./respond.ts"
import { sendWhole } from "./send-whole.ts"

interface TrpcDeps {
  workspaces: Workspaces
  auth: Auth
  front: Front
  team?: TeamService | null | undefined
  audit?: Audit | null | undefined
  log(text: string, error: unknown): void
}

export const trpcPath = "/api/trpc/"

/** Serves the procedure that the path names, or several with commas between them, to who is signed in. */
export async function serveTrpc(
  { workspaces, auth, front, team = null, audit = null, log }: TrpcDeps,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const identity = await auth.identify(req)
  if (identity === null) return sendRefusal(res, notSignedIn)
  sendWhole(res)
  await nodeHTTPRequestHandler({
    router: appRouter,
    req,
    res,
    path: req.url?.split("?")[0]?.slice(trpcPath.length) ?? "",
    maxBodySize: maxBodyBytes,
    createContext: async () => ({
      identity,
      runtime: await useCasesOf(workspaces, identity, keyOf(req)),
      origin: front.originOf(req),
      team,
      audit,
      recorder: audit?.of(identity, req, front) ?? null,
    }),
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
