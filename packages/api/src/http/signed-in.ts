import type { UseCases } from "@docket/core"
import type { Capability } from "@docket/core/operations"
import type { MiddlewareHandler } from "hono"
import { asOfNow } from "../access/as-of-now.ts"
import type { Audit, Recorder } from "../audit/audit.ts"
import type { Auth } from "../auth/auth.ts"
import type { Identity } from "../auth/identity.ts"
import { useCasesOf, type Workspaces } from "../workspaces.ts"
import { answered, type NodeEnv } from "./answer.ts"
import type { Ingress } from "./ingress.ts"
import { idempotencyKeyOf } from "./key-of.ts"
import { notSignedIn, sendRefusal } from "./respond.ts"

/** What every route behind the login has. */
export interface SignedInEnv extends NodeEnv {
  Variables: {
    identity: Identity
    recorder: Recorder | null
    /** Checks the caller again, after the body has arrived. @throws signed_out, workspace_not_found, forbidden */
    checkAgain(capability: Capability): Promise<Identity>
    /** The use cases of the caller. @throws workspace_not_found */
    useCases(): Promise<UseCases>
  }
}

export interface SignedInDeps {
  auth: Auth
  workspaces: Workspaces
  audit?: Audit | null | undefined
  ingress: Ingress
}

/** Lets only people pass who are signed in. */
export function signedIn({ auth, workspaces, audit, ingress }: SignedInDeps): MiddlewareHandler<SignedInEnv> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env
    const identity = await auth.identify(incoming)
    if (identity === null) return answered(sendRefusal(outgoing, notSignedIn))
    c.set("identity", identity)
    c.set("checkAgain", async (capability) => asOfNow(identity, await auth.identify(incoming), capability))
    c.set("recorder", audit?.of(identity, incoming, ingress) ?? null)
    c.set("useCases", () => useCasesOf(workspaces, identity, idempotencyKeyOf(incoming)))
    await next()
  }
}
