import type { UseCases } from "@docket/core"
import type { MiddlewareHandler } from "hono"
import type { Auth } from "../auth/auth.ts"
import type { Identity } from "../auth/identity.ts"
import { useCasesOf, type Workspaces } from "../workspaces.ts"
import { answered, type NodeEnv } from "./answer.ts"
import { keyOf } from "./key-of.ts"
import { notSignedIn, sendRefusal } from "./respond.ts"

/** What every route behind the login has. */
export interface SignedInEnv extends NodeEnv {
  Variables: {
    identity: Identity
    /** As the caller has them. @throws workspace_not_found */
    useCases(): Promise<UseCases>
  }
}

/** Lets in who is signed in. */
export function signedIn({ auth, workspaces }: { auth: Auth; workspaces: Workspaces }): MiddlewareHandler<SignedInEnv> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env
    const identity = await auth.identify(incoming)
    if (identity === null) return answered(sendRefusal(outgoing, notSignedIn))
    c.set("identity", identity)
    c.set("useCases", () => useCasesOf(workspaces, identity, keyOf(incoming)))
    await next()
  }
}
